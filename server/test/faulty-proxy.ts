import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { isObject } from "../src/lib/is-object.ts";
import { hashOf, hex } from "./fake-chain.ts";

/** What can go wrong on the way. */
export type Fault =
  /** The connection is cut before, or in the middle of, the answer. */
  | "drop"
  | "truncate"
  /** The answer is late by some milliseconds. */
  | "delay"
  /** HTTP 429 with Retry-After, 500, or a page for people instead of JSON. */
  | "tooMany"
  | "broken"
  | "html"
  /** Some logs come twice, or in another order. */
  | "repeatLogs"
  | "shuffleLogs"
  /** The last logs are missing, and nothing says so. */
  | "cutLogs"
  /** A log claims to be of another block than its neighbours. */
  | "wrongHash"
  /** A block that exists is answered with null, as replicas that lag do. */
  | "nullBlock"
  /** The head is some blocks old. */
  | "oldHead";

/** A proxy that runs. */
export type FaultyProxy = {
  url: string;
  /** How often each fault happened. */
  counts: Record<Fault, number>;
  /** How likely each fault is; may be changed at any time. */
  rates: Partial<Record<Fault, number>>;
  close(): Promise<void>;
};

type Reply = { id: unknown; result?: unknown };
type Call = { jsonrpc?: unknown; id?: unknown; method?: unknown; params?: unknown[] };
type Happens = (fault: Fault) => boolean;

const delayMostMs = 20;
const headAge = 3;

/**
 * A JSON-RPC proxy over HTTP that makes mistakes. What happens to a request follows from the seed, the request and
 * how often it was made before, so that the order in which requests arrive does not matter.
 */
export async function startFaultyProxy(
  targetUrl: string,
  { seed, rates }: { seed: number; rates: Partial<Record<Fault, number>> },
): Promise<FaultyProxy> {
  const times = new Map<string, number>();

  /** Decides by a hash: as good as chance, and the same again tomorrow. */
  function chanceFor(body: string): (what: string) => number {
    const question = body.replaceAll(/"id":\d+/g, "");
    const nth = times.get(question) ?? 0;
    times.set(question, nth + 1);
    return (what) => {
      const digest = createHash("sha256").update(`${seed} ${what} ${nth} ${question}`).digest();
      return digest.readUInt32BE() / 2 ** 32;
    };
  }

  const forward = (calls: Call | Call[]) =>
    fetch(targetUrl, { method: "POST", body: JSON.stringify(calls) });

  /** Asks for a block a little below the head where the newest one was asked for. */
  async function withOldHead(calls: Call | Call[], happens: Happens): Promise<Call | Call[]> {
    const asksHead = ({ params }: Call) => params?.[0] === "latest";
    if (![calls].flat().some(asksHead) || !happens("oldHead")) return calls;
    const reply = await forward({ jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] });
    const { result } = (await reply.json()) as Reply;
    const older = hex(Math.max(0, Number(result) - headAge));
    const aged = (call: Call) => (asksHead(call) ? { ...call, params: [older, false] } : call);
    return Array.isArray(calls) ? calls.map(aged) : aged(calls);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const chance = chanceFor(body);
    const happens: Happens = (fault) => {
      const does = chance(fault) < (proxy.rates[fault] ?? 0);
      if (does) proxy.counts[fault]++;
      return does;
    };
    if (happens("delay"))
      await new Promise((resolve) => setTimeout(resolve, chance("how long") * delayMostMs));
    if (happens("drop")) return void response.destroy();
    if (happens("tooMany"))
      return void response.writeHead(429, { "retry-after": "1" }).end("too many requests");
    if (happens("broken")) return void response.writeHead(500).end("internal error");
    if (happens("html")) return void response.end("<html><body>Just a moment…</body></html>");

    const calls = JSON.parse(body) as Call | Call[];
    const answer = await forward(await withOldHead(calls, happens));
    const spoiled = spoil(calls, (await answer.json()) as Reply | Reply[], happens, chance);
    const bytes = Buffer.from(JSON.stringify(spoiled));
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(happens("truncate") ? bytes.subarray(0, chance("where") * bytes.length) : bytes);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${port}`,
    counts: {
      drop: 0,
      truncate: 0,
      delay: 0,
      tooMany: 0,
      broken: 0,
      html: 0,
      repeatLogs: 0,
      shuffleLogs: 0,
      cutLogs: 0,
      wrongHash: 0,
      nullBlock: 0,
      oldHead: 0,
    },
    rates,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

/** Changes the results of a request that was answered. */
function spoil(
  asked: Call | Call[],
  answered: Reply | Reply[],
  happens: Happens,
  chance: (what: string) => number,
): unknown {
  const calls = [asked].flat();
  const replies = [answered].flat().map((reply, index): Reply => {
    const { method, params } = calls[index] ?? {};
    if (method === "eth_getLogs" && Array.isArray(reply.result))
      return { ...reply, result: spoilLogs(reply.result, happens, chance) };
    if (method === "eth_blockNumber" && happens("oldHead"))
      return { ...reply, result: hex(Math.max(0, Number(reply.result) - headAge)) };
    if (method === "eth_getBlockByNumber" && params?.[0] !== "latest" && happens("nullBlock"))
      return { ...reply, result: null };
    return reply;
  });
  return Array.isArray(answered) ? replies : replies[0];
}

function spoilLogs(logs: unknown[], happens: Happens, chance: (what: string) => number): unknown[] {
  let spoiled = logs;
  const at = Math.floor(chance("which log") * logs.length);
  if (logs.length > 0 && happens("repeatLogs")) spoiled = [...spoiled, ...spoiled.slice(at)];
  if (logs.length > 1 && happens("shuffleLogs"))
    spoiled = [...spoiled.slice(at), ...spoiled.slice(0, at)];
  if (logs.length > 0 && happens("cutLogs")) spoiled = spoiled.slice(0, at);
  if (spoiled.length > 1 && happens("wrongHash"))
    spoiled = spoiled.map((log, index) =>
      index === at % spoiled.length && isObject(log) ? { ...log, blockHash: hashOf("wrong") } : log,
    );
  return spoiled;
}
