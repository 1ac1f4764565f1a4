import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addressOf, type FakeChain, fakeChain, hashOf } from "../../test/fake-chain.ts";
import { type FakeNode, startFakeNode } from "../../test/fake-node.ts";
import { hastyClock } from "../../test/hasty-clock.ts";
import { openTestNodes } from "../../test/test-nodes.ts";
import { systemClock } from "../lib/clock.ts";
import { OperatorError, UnavailableError } from "../lib/errors.ts";
import type { Nodes } from "./chain.ts";

let chain: FakeChain;
let first: FakeNode;
let second: FakeNode;
const opened: Nodes[] = [];

beforeEach(async () => {
  chain = fakeChain();
  chain.append(...Array.from({ length: 300 }, () => ({})));
  first = await startFakeNode({ chain });
  second = await startFakeNode({ chain });
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((nodes) => nodes.close()));
  await Promise.all([first.close(), second.close()]);
});

/** Nodes that are closed after the test. */
async function open(...parameters: Parameters<typeof openTestNodes>) {
  const nodes = await openTestNodes(...parameters);
  opened.push(nodes);
  return nodes;
}

const methodsOf = (node: FakeNode) => node.calls.map(({ method }) => method);

describe("headers", () => {
  test("the newest, one by its number, and many in their order", async () => {
    const nodes = await open([first.url]);
    const head = await nodes.head();
    expect(head).toMatchObject({ number: 300, hash: chain.head().hash, time: chain.head().time });
    expect(head.totalDifficulty).toBeUndefined();
    expect(await nodes.header(300)).toEqual(head);
    expect(await nodes.header(301)).toBeUndefined();
    const numbers = [300, 0, 7, 150];
    const headers = await nodes.headers(numbers);
    expect(headers.map(({ number }) => number)).toEqual(numbers);
    expect(headers.map(({ hash }) => hash)).toEqual(
      numbers.map((number) => chain.byNumber(number)?.hash),
    );
  });

  test("come in batches", async () => {
    const nodes = await open([first.url]);
    const numbers = Array.from({ length: 250 }, (_, at) => at);
    expect((await nodes.headers(numbers)).map(({ number }) => number)).toEqual(numbers);
    expect(first.calls.filter(({ isBatch }) => isBatch)).toHaveLength(250);
    expect(first.inFlight.most).toBeLessThanOrEqual(4);
  });

  test("come one by one where batches are refused, and it is not tried each time", async () => {
    let refused = 0;
    first.script = ({ isBatch }) => {
      if (!isBatch) return undefined;
      refused++;
      return { status: 400, body: '{"message":"batches are not for you"}' };
    };
    const nodes = await open([first.url]);
    const numbers = Array.from({ length: 60 }, (_, at) => at);
    expect((await nodes.headers(numbers)).map(({ number }) => number)).toEqual(numbers);
    const before = refused;
    await nodes.headers(numbers);
    expect(refused).toBe(before);
    expect(nodes.health()).toEqual([{ host: expect.any(String), state: "ok", lastError: null }]);
  });

  test("come in smaller batches where a few of a batch are refused for being too many", async () => {
    let inBatch = 0;
    first.script = ({ isBatch }) => {
      inBatch = isBatch ? inBatch + 1 : 0;
      setImmediate(() => {
        inBatch = 0;
      });
      return inBatch > 5 ? { error: { code: 429, message: "compute units exceeded" } } : undefined;
    };
    const nodes = await open([first.url], { limits: { batchesAtOnce: 1 } });
    const numbers = Array.from({ length: 30 }, (_, at) => at);
    expect((await nodes.headers(numbers)).map(({ number }) => number)).toEqual(numbers);
  });

  test("of a replica that lags are asked from another, or later", async () => {
    first.options.lag = 10;
    const nodes = await open([first.url, second.url]);
    expect((await nodes.headers([295, 300])).map(({ number }) => number)).toEqual([295, 300]);
    expect(methodsOf(second)).toContain("eth_getBlockByNumber");
    await second.close();
    setImmediate(() => {
      first.options.lag = 0;
    });
    expect((await nodes.header(300))?.number).toBe(300);
  });

  test.each([
    ["another number", { number: "0x1" }],
    ["a short hash", { hash: "0x12" }],
    ["no time", { timestamp: undefined }],
    ["a bloom that is none", { logsBloom: "0xzz" }],
  ])("with %s are not believed", async (_, change) => {
    first.mangle = (body, [call]) => {
      const answer = JSON.parse(body);
      if (call?.method === "eth_getBlockByNumber") Object.assign(answer.result, change);
      return JSON.stringify(answer);
    };
    const nodes = await open([first.url, second.url]);
    expect((await nodes.header(9))?.hash).toBe(chain.byNumber(9)?.hash);
    expect(nodes.health()[0]).toMatchObject({ state: "resting" });
  });
});

describe("an endpoint that fails", () => {
  test("is replaced by the next, and is used again when it is well", async () => {
    let isWell = false;
    first.script = () => (isWell ? undefined : "drop");
    const nodes = await open([first.url, second.url]);
    for (let round = 0; round < 5; round++) await nodes.head();
    expect(methodsOf(second)).toContain("eth_getBlockByNumber");
    isWell = true;
    second.script = () => "drop";
    await nodes.head();
    const before = second.calls.length;
    second.script = undefined;
    await nodes.head();
    await nodes.head();
    expect(second.calls.length).toBe(before);
  });

  test("that answered 429 is left alone as long as it asks for", async () => {
    const clock = hastyClock();
    const askedAt: number[] = [];
    first.script = ({ method }) => {
      if (method === "eth_chainId") return undefined;
      askedAt.push(clock.now());
      return askedAt.length === 1
        ? { status: 429, headers: { "retry-after": "37" }, body: "" }
        : undefined;
    };
    const nodes = await open([first.url], { clock });
    expect((await nodes.head()).number).toBe(300);
    const [refusedAt = 0, againAt = 0] = askedAt;
    expect(againAt - refusedAt).toBe(37_000);
  });

  test("that answered 429 is left alone while others are well", async () => {
    first.script = ({ method }) =>
      method === "eth_chainId"
        ? undefined
        : { status: 429, headers: { "retry-after": "37" }, body: "" };
    const nodes = await open([first.url, second.url]);
    for (let round = 0; round < 5; round++) await nodes.head();
    expect(methodsOf(first).filter((method) => method !== "eth_chainId")).toHaveLength(1);
    expect(nodes.health()[0]).toMatchObject({ state: "resting", lastError: "HTTP 429" });
  });

  test.each([
    ["an HTML page", () => ({ status: 200, body: "<html>Just a moment</html>" })],
    ["HTTP 500", () => ({ status: 500, body: "oops" })],
    ["an empty body", () => ({ status: 200, body: "" })],
    ["an error", () => ({ error: { code: -32603, message: "internal error" } })],
    ["nothing", () => "hang" as const],
    ["a redirect", () => ({ status: 301, body: "", headers: { location: "/elsewhere" } })],
  ])("with %s is replaced by the next", async (_, answer) => {
    first.script = ({ method }) => (method === "eth_chainId" ? undefined : answer());
    const nodes = await open([first.url, second.url], { limits: { requestMs: 200 } });
    expect((await nodes.head()).number).toBe(300);
  });

  test.each([
    ["truncated JSON", (body: string) => body.slice(0, -20)],
    ["a foreign id", (body: string) => body.replace(/"id":\d+/, '"id":99999')],
    ["too long a body", (body: string) => body + " ".repeat(3_000)],
  ])("with %s is replaced by the next", async (_, mangle) => {
    const nodes = await open([first.url, second.url], { limits: { bodyMostBytes: 3_000 } });
    first.mangle = mangle;
    expect((await nodes.head()).number).toBe(300);
    expect(nodes.health()[0]?.state).toBe("resting");
  });

  test("only makes a call fail when nobody else answers for a long time", async () => {
    const key = "3f1c0d5e7a8b4c2d9e6f1a2b3c4d5e6f";
    first.script = () => ({ status: 403, body: `the key ${key} is not valid` });
    await second.close();
    const nodes = await open([`${first.url}/v3/${key}`, `${second.url}/?apikey=${key}`]);
    const failure = await nodes.head().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnavailableError);
    const { message } = failure as Error;
    expect(message).toContain(new URL(first.url).host);
    expect(message).toContain(new URL(second.url).host);
    const everything = [message, JSON.stringify(nodes.health()), ...nodes.lines].join("\n");
    expect(everything).toContain("ECONNREFUSED");
    expect(everything).toContain("HTTP 403");
    expect(everything).not.toContain(key);
  });

  test("does not keep a start waiting, and may come up later", async () => {
    first.script = () => "drop";
    const nodes = await open([first.url]);
    setImmediate(() => {
      first.script = undefined;
    });
    expect((await nodes.head()).number).toBe(300);
  });
});

describe("the chain id", () => {
  test("is checked at the start: a wrong one is the operator's mistake", async () => {
    const chainOfOthers = await startFakeNode({ chain: fakeChain({ chainId: 56 }) });
    const starting = open([first.url, chainOfOthers.url], { clock: systemClock });
    await expect(starting).rejects.toThrow(OperatorError);
    await expect(starting).rejects.toThrow(/is of chain 56, but ethereum is chain 1/);
    await chainOfOthers.close();
  });

  test("is checked before the first real question to a node that was away", async () => {
    const clock = hastyClock();
    second.script = () => "drop";
    const nodes = await open([second.url, first.url], { clock });
    await nodes.head();
    second.script = ({ method }) => (method === "eth_chainId" ? { result: "0x38" } : undefined);
    clock.advance(60_000);
    await nodes.head();
    expect(nodes.health()[0]?.lastError).toMatch(/is of chain 56/);
    first.script = () => ({ status: 500, body: "" });
    await expect(nodes.head()).rejects.toThrow(UnavailableError);
    expect(methodsOf(second)).not.toContain("eth_getBlockByNumber");
  });

  test("of all nodes being wrong makes every call say so", async () => {
    first.script = () => "drop";
    const nodes = await open([first.url]);
    first.script = ({ method }) => (method === "eth_chainId" ? { result: "0x38" } : undefined);
    await expect(nodes.head()).rejects.toThrow(OperatorError);
  });

  test.each(["ftp://example.org", "no address", ""])("%j is no URL of a node", async (url) => {
    await expect(open([url])).rejects.toThrow(OperatorError);
  });

  test("and without any URL nothing can be opened", async () => {
    await expect(open([])).rejects.toThrow("has no rpcUrls");
  });
});

describe("calls", () => {
  const token = addressOf("token");
  const symbol = "0x95d89b41";
  const decimals = "0x313ce567";

  test("bring results, and nothing for those that revert", async () => {
    first.options.tokens = { [token]: { decimals: 18 } };
    const nodes = await open([first.url]);
    const calls = [
      { to: token, data: decimals },
      { to: token, data: symbol },
    ] as const;
    expect(await nodes.call(calls)).toEqual([`0x${"12".padStart(64, "0")}`, undefined]);
    expect(await nodes.call(calls, 5)).toHaveLength(2);
    expect(first.calls.at(-1)?.params[1]).toBe("0x5");
  });

  test("that fail for other reasons are made again", async () => {
    first.options.onCall = () => "0x01";
    let failures = 2;
    first.script = ({ method }) =>
      method === "eth_call" && failures-- > 0
        ? { error: { code: -32000, message: "header not found" } }
        : undefined;
    const nodes = await open([first.url]);
    expect(await nodes.call([{ to: token, data: "0x" }])).toEqual(["0x01"]);
  });

  test("without any are not sent", async () => {
    const nodes = await open([first.url]);
    const before = first.calls.length;
    expect(await nodes.call([])).toEqual([]);
    expect(await nodes.headers([])).toEqual([]);
    expect(first.calls.length).toBe(before);
  });
});

describe("origins", () => {
  const sent = hashOf("sent");
  const unknown = hashOf("unknown");
  const log = {
    address: addressOf("a"),
    topics: [],
    transactionHash: sent,
    origin: addressOf("me"),
  };

  test("of known transactions, in lower case; those that nobody knows are left out", async () => {
    chain.append({ logs: [log] });
    first.mangle = (body) =>
      body.replaceAll(addressOf("me"), addressOf("me").toUpperCase().replace("X", "x"));
    const nodes = await open([first.url, second.url]);
    const origins = await nodes.origins([sent, unknown]);
    expect([...origins]).toEqual([[sent, addressOf("me")]]);
  });

  test("that one replica does not know are asked from another", async () => {
    chain.append({ logs: [log] });
    first.script = ({ method }) =>
      method === "eth_getTransactionByHash" ? { result: null } : undefined;
    const nodes = await open([first.url, second.url]);
    expect((await nodes.origins([sent])).get(sent)).toBe(addressOf("me"));
  });

  test("of another transaction than was asked for are not believed", async () => {
    chain.append({ logs: [log] });
    first.script = ({ method }) =>
      method === "eth_getTransactionByHash"
        ? { result: { hash: unknown, from: addressOf("you") } }
        : undefined;
    const nodes = await open([first.url, second.url]);
    expect((await nodes.origins([sent])).get(sent)).toBe(addressOf("me"));
  });
});

test("a WebSocket URL alone is enough", async () => {
  const nodes = await open([first.wsUrl]);
  expect((await nodes.head()).number).toBe(300);
  expect(await nodes.headers([1, 2, 3])).toHaveLength(3);
  first.dropSockets();
  expect((await nodes.head()).number).toBe(300);
});

test("closing ends what is under way", async () => {
  first.script = ({ method }) => (method === "eth_chainId" ? undefined : "hang");
  const nodes = await open([first.url]);
  const never = new AbortController().signal;
  const head = nodes.head();
  const heads = nodes.heads(never)[Symbol.asyncIterator]().next();
  const logs = nodes.streamLogs({ topics: [] }, 0, 9, never)[Symbol.asyncIterator]().next();
  await expect.poll(() => methodsOf(first)).toContain("eth_getLogs");
  await nodes.close();
  await expect(head).rejects.toThrow(/abort/);
  await expect(logs).rejects.toThrow(/abort/);
  expect(await heads).toMatchObject({ done: true });
});

test("an answer of one endpoint can be distrusted: others are asked first", async () => {
  const nodes = await open([first.url, second.url]);
  await nodes.blockLogs(await nodes.head(), { topics: [hashOf("t")] });
  const { length } = first.calls;
  nodes.distrust("the liquidity does not add up");
  expect(nodes.health()[0]).toMatchObject({
    state: "ok",
    lastError: "the liquidity does not add up",
  });
  await nodes.head();
  expect(first.calls.length).toBe(length);
});
