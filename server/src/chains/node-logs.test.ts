import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  addressOf,
  type FakeChain,
  fakeChain,
  hashOf,
  type NewBlock,
  type WireLog,
} from "../../test/fake-chain.ts";
import { type FakeCall, type FakeNode, startFakeNode } from "../../test/fake-node.ts";
import { hastyClock } from "../../test/hasty-clock.ts";
import { openTestNodes } from "../../test/test-nodes.ts";
import { UnavailableError } from "../lib/errors.ts";
import type { Header, Log, LogFilter, Nodes } from "./chain.ts";
import type { Hex } from "./hex.ts";

const swap = hashOf("Swap");
const mint = hashOf("Mint");
const filter: LogFilter = { topics: [swap, mint] };
const pools = Array.from({ length: 5 }, (_, at) => addressOf(`pool ${at}`));
const never = new AbortController().signal;

let chain: FakeChain;
let first: FakeNode;
let second: FakeNode;
let third: FakeNode;
const opened: Nodes[] = [];

/** A block with two logs that match and one that does not, or an empty one. */
const blockAt = (number: number): NewBlock =>
  number % 3 === 0
    ? {}
    : {
        logs: [
          { address: pools[number % 5] ?? "0x", topics: [swap], data: "0x01" },
          { address: addressOf("other"), topics: [hashOf("Transfer")] },
          { address: pools[(number + 1) % 5] ?? "0x", topics: [mint, hashOf("me")], data: "0x02" },
        ],
      };

beforeEach(async () => {
  chain = fakeChain();
  chain.append(...Array.from({ length: 1_000 }, (_, at) => blockAt(at + 1)));
  [first, second, third] = await Promise.all([
    startFakeNode({ chain }),
    startFakeNode({ chain }),
    startFakeNode({ chain }),
  ]);
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((nodes) => nodes.close()));
  await Promise.all([first.close(), second.close(), third.close()]);
});

async function open(...parameters: Parameters<typeof openTestNodes>) {
  const nodes = await openTestNodes(...parameters);
  opened.push(nodes);
  return nodes;
}

/** Every log of the stream. The ranges must follow each other without gaps. */
async function logsOf(nodes: Nodes, from = 0, to = 1_000, wanted = filter): Promise<Log[]> {
  const logs: Log[] = [];
  let next = from;
  for await (const range of nodes.streamLogs(wanted, from, to, never)) {
    expect(range.from).toBe(next);
    next = range.to + 1;
    logs.push(...range.logs);
  }
  expect(next).toBe(to + 1);
  return logs;
}

/** What the stream must bring. */
function truth(from = 0, to = 1_000, wanted = filter): Log[] {
  const matches = ({ topics, address }: WireLog) =>
    wanted.topics.includes(topics[0] ?? "0x") && (wanted.addresses?.includes(address) ?? true);
  return chain.blocks.slice(from, to + 1).flatMap((block) =>
    block.logs.filter(matches).map((log) => ({
      block: block.number,
      blockHash: block.hash,
      time: block.time,
      transactionHash: log.transactionHash,
      index: Number(log.logIndex),
      address: log.address,
      topics: log.topics,
      data: log.data,
    })),
  );
}

const headerOf = (number: number): Promise<Header> =>
  open([third.url]).then(async (nodes) => (await nodes.headers([number]))[0] as Header);

const logCalls = (node: FakeNode) => node.calls.filter(({ method }) => method === "eth_getLogs");

const blocksOf = ({ params }: FakeCall) => {
  const { fromBlock, toBlock } = params[0] as { fromBlock: Hex; toBlock: Hex };
  return Number(toBlock) - Number(fromBlock) + 1;
};

/** Changes the logs of an answer. */
function changeLogs(change: (logs: WireLog[]) => unknown[]) {
  return (body: string): string => {
    const answer = JSON.parse(body) as { result: unknown } | { result: unknown }[];
    for (const reply of [answer].flat())
      if (Array.isArray(reply.result)) reply.result = change(reply.result);
    return JSON.stringify(answer);
  };
}

describe("a stream of logs", () => {
  test("is all of them, in order", async () => {
    const nodes = await open([first.url]);
    expect(await logsOf(nodes)).toEqual(truth());
    expect(await logsOf(nodes, 17, 17)).toEqual(truth(17, 17));
    expect(first.inFlight.most).toBeLessThanOrEqual(6);
  });

  test("grows its ranges to what the logs allow", async () => {
    const nodes = await open([first.url], { limits: { rangeFirstBlocks: 10, rangesAtOnce: 1 } });
    await logsOf(nodes);
    expect(logCalls(first).map(blocksOf)).toEqual([10, 40, 160, 640, 151]);
  });

  test("takes the times from the blocks when the logs have none", async () => {
    first.options.blockTimestamp = false;
    expect(await logsOf(await open([first.url]))).toEqual(truth());
  });

  test("does not believe logs of other blocks than the chain has", async () => {
    first.options.blockTimestamp = false;
    first.mangle = changeLogs((logs) =>
      logs.map((log) => (log.blockNumber === "0xa" ? { ...log, blockHash: hashOf("fork") } : log)),
    );
    expect(await logsOf(await open([first.url, second.url]))).toEqual(truth());
  });

  test("asks for many addresses in parts, and puts the answers together", async () => {
    const strangers = Array.from({ length: 1_200 }, (_, at) => addressOf(`stranger ${at}`));
    const wanted = { topics: [swap, mint], addresses: [...strangers, ...pools.slice(2)] };
    const nodes = await open([first.url]);
    expect(await logsOf(nodes, 0, 200, wanted)).toEqual(truth(0, 200, wanted));
    const sizes = logCalls(first).map(({ params }) => (params[0] as { address: Hex[] }).address);
    expect(sizes.map(({ length }) => length)).toEqual([500, 500, 203]);
  });

  test("of no addresses is empty, and nobody is asked", async () => {
    const nodes = await open([first.url]);
    expect(await logsOf(nodes, 0, 1_000, { topics: [swap], addresses: [] })).toEqual([]);
    expect(logCalls(first)).toEqual([]);
  });

  test("stops at once when it is told to", async () => {
    first.script = ({ method }) => (method === "eth_getLogs" ? "hang" : undefined);
    const nodes = await open([first.url]);
    const aborting = new AbortController();
    const reading = nodes.streamLogs(filter, 0, 1_000, aborting.signal)[Symbol.asyncIterator]();
    const next = reading.next();
    await expect.poll(() => logCalls(first).length).toBeGreaterThan(0);
    aborting.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
  });
});

describe("ranges that a provider refuses", () => {
  const refuse = (most: number, message: string) => (call: FakeCall) =>
    call.method === "eth_getLogs" && blocksOf(call) > most
      ? { error: { code: -32602, message } }
      : undefined;

  test("are split as it says, and its limit is remembered", async () => {
    first.script = refuse(30, "eth_getLogs is limited to a 30 range");
    const nodes = await open([first.url]);
    expect(await logsOf(nodes)).toEqual(truth());
    const refused = logCalls(first).filter((call) => blocksOf(call) > 30);
    expect(refused.length).toBeLessThanOrEqual(6);
    first.calls.length = 0;
    await logsOf(nodes, 0, 500);
    expect(Math.max(...logCalls(first).map(blocksOf))).toBe(30);
    expect(nodes.health()[0]).toMatchObject({ state: "ok", lastError: null });
  });

  test("may be answered whole by another", async () => {
    first.script = refuse(30, "exceed maximum block range: 30");
    const nodes = await open([first.url, second.url]);
    await logsOf(nodes, 0, 100);
    first.script = () => "drop";
    expect(await logsOf(nodes)).toEqual(truth());
  });

  test("are split where it suggests", async () => {
    first.script = (call) => {
      if (call.method !== "eth_getLogs" || blocksOf(call) <= 40) return undefined;
      const { fromBlock } = call.params[0] as { fromBlock: Hex };
      const to = `0x${(Number(fromBlock) + 36).toString(16)}`;
      const message = `Log response size exceeded. Based on your parameters and the response size limit, this block range should work: [${fromBlock}, ${to}]`;
      return { error: { code: -32602, message } };
    };
    const nodes = await open([first.url], { limits: { rangesAtOnce: 1 } });
    expect(await logsOf(nodes)).toEqual(truth());
    expect(logCalls(first).map(blocksOf).slice(0, 2)).toEqual([250, 37]);
  });

  test("are halved for want of a better idea, down to one block", async () => {
    first.script = (call) =>
      call.method === "eth_getLogs" && blocksOf(call) > 1
        ? { status: 504, body: "gateway timeout" }
        : undefined;
    const nodes = await open([first.url]);
    expect(await logsOf(nodes, 100, 160)).toEqual(truth(100, 160));
  });

  test("because their answer would be too long, are halved too", async () => {
    const nodes = await open([first.url], { limits: { logBodyMostBytes: 20_000 } });
    expect(await logsOf(nodes)).toEqual(truth());
  });
});

describe("an answer that cannot be true", () => {
  test("is thrown away, and another endpoint is asked", async () => {
    first.mangle = changeLogs((logs) => logs.map((log) => ({ ...log, removed: true })));
    const nodes = await open([first.url, second.url]);
    expect(await logsOf(nodes)).toEqual(truth());
    expect(logCalls(second).length).toBeGreaterThan(0);
    expect(nodes.health()[0]?.lastError).toContain("removed");
  });

  test("that is only in disorder is put in order, and said in the log", async () => {
    first.mangle = changeLogs((logs) => [...logs.slice(5), ...logs.slice(0, 9)]);
    const nodes = await open([first.url]);
    expect(await logsOf(nodes)).toEqual(truth());
    expect(nodes.lines.join("")).toContain("logs came again");
  });

  test("because its node is behind is not taken", async () => {
    first.options.lag = 100;
    const nodes = await open([first.url, second.url]);
    expect(await logsOf(nodes)).toEqual(truth());
    expect(nodes.health()[0]).toMatchObject({ state: "ok", lastError: null });
  });
});

describe("logs that end at a round number", () => {
  test("are asked for again in parts: some nodes stop there and do not say so", async () => {
    const capped = (logs: WireLog[]) => logs.slice(0, 1_000);
    chain.append({
      logs: Array.from({ length: 900 }, () => ({ address: pools[0] ?? "0x", topics: [swap] })),
    });
    chain.append({
      logs: Array.from({ length: 900 }, () => ({ address: pools[1] ?? "0x", topics: [swap] })),
    });
    first.mangle = changeLogs(capped);
    expect(await logsOf(await open([first.url]), 990, 1_002)).toEqual(truth(990, 1_002));
  });
});

describe("when two answers must agree", () => {
  const cutTail = changeLogs((logs) => logs.slice(0, -1));
  const agreeing = { chain: { agreeing: 2 } };

  test("different endpoints are asked", async () => {
    const nodes = await open([first.url, second.url], agreeing);
    expect(await logsOf(nodes)).toEqual(truth());
    expect(logCalls(first).length).toBe(logCalls(second).length);
  });

  test("what one leaves out is found, and said in the log", async () => {
    first.mangle = cutTail;
    const nodes = await open([first.url, second.url, third.url], agreeing);
    expect(await logsOf(nodes)).toEqual(truth());
    expect(nodes.lines.join("")).toContain("nodes disagree");
  });

  test("one that always leaves something out never gets its way, however often it is asked", async () => {
    first.mangle = cutTail;
    const nodes = await open([first.url, second.url], agreeing);
    await expect(logsOf(nodes, 0, 100)).rejects.toThrow(
      /Nodes do not agree on the logs of blocks 0 to 100: .* against /,
    );
  });

  test("one that is lost is not waited for, and is asked again when it is back", async () => {
    const clock = hastyClock();
    second.script = () => "drop";
    const nodes = await open([first.url, second.url], { ...agreeing, clock });
    expect(await logsOf(nodes)).toEqual(truth());
    expect(logCalls(second)).toEqual([]);
    second.script = undefined;
    clock.advance(60_000);
    expect(await logsOf(nodes)).toEqual(truth());
    expect(logCalls(second).length).toBeGreaterThan(0);
  });

  test("a lone endpoint is asked twice", async () => {
    let answers = 0;
    first.mangle = (body, [call]) =>
      call?.method === "eth_getLogs" && answers++ === 0 ? cutTail(body) : body;
    const nodes = await open([first.url], agreeing);
    expect(await logsOf(nodes, 0, 900)).toEqual(truth(0, 900));
    expect(nodes.lines.join("")).toContain("nodes disagree");
  });

  test("the logs of one block must agree as well", async () => {
    first.mangle = cutTail;
    const nodes = await open([first.url, second.url, third.url], agreeing);
    expect(await nodes.blockLogs(await headerOf(100), filter)).toEqual(truth(100, 100));
  });
});

describe("the logs of one block", () => {
  test("are asked for by its hash", async () => {
    const nodes = await open([first.url]);
    const header = await headerOf(100);
    expect(await nodes.blockLogs(header, filter)).toEqual(truth(100, 100));
    expect(logCalls(first)[0]?.params).toEqual([
      { blockHash: header.hash, topics: [[swap, mint]] },
    ]);
    chain.reorg(950, ...Array.from({ length: 950 }, () => ({})));
    expect(await nodes.blockLogs(header, filter)).toHaveLength(2);
  });

  test("that are missing although the bloom has them are asked for again", async () => {
    let answers = 0;
    first.script = ({ method }) =>
      method === "eth_getLogs" && answers++ < 2 ? { result: [] } : undefined;
    const nodes = await open([first.url]);
    expect(await nodes.blockLogs(await headerOf(100), filter)).toEqual(truth(100, 100));
  });

  test("are none when several answers say so: a bloom may be wrong", async () => {
    const nodes = await open([first.url]);
    const header = { ...(await headerOf(99)), logsBloom: `0x${"f".repeat(512)}` as const };
    expect(await nodes.blockLogs(header, filter)).toEqual([]);
    expect(logCalls(first)).toHaveLength(3);
  });

  test("are none at once when the bloom agrees", async () => {
    const nodes = await open([first.url]);
    const header = await headerOf(100);
    const wanted = { topics: [swap], addresses: [addressOf("nobody")] };
    expect(await nodes.blockLogs(header, wanted)).toEqual([]);
    expect(await nodes.blockLogs(header, { topics: [swap], addresses: [] })).toEqual([]);
    expect(logCalls(first)).toHaveLength(1);
  });

  test("of another block are not believed", async () => {
    first.mangle = changeLogs((logs) => logs.map((log) => ({ ...log, blockHash: hashOf("x") })));
    const nodes = await open([first.url, second.url]);
    expect(await nodes.blockLogs(await headerOf(100), filter)).toEqual(truth(100, 100));
  });

  test("of a block that nobody knows any more cannot be had, and that is said soon", async () => {
    const nodes = await open([first.url]);
    const header = { ...(await headerOf(100)), hash: hashOf("gone") };
    await expect(nodes.blockLogs(header, filter)).rejects.toThrow(UnavailableError);
  });
});
