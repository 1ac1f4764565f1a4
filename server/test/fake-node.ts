import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type WebSocket, WebSocketServer } from "ws";
import type { Hex } from "../src/chains/hex.ts";
import { type FakeBlock, type FakeChain, hex, type WireLog } from "./fake-chain.ts";

/** One request, as a script sees it. */
export type FakeCall = { method: string; params: unknown[]; isBatch: boolean };

/** What a script may answer instead of the chain: a result, an error, any HTTP, or nothing at all. */
type FakeAnswer =
  | { result: unknown }
  | { error: { code: number; message: string; data?: unknown } }
  | { status: number; body: string; headers?: Record<string, string> }
  | "drop"
  | "hang";

/** What a token contract tells. A field that is left out reverts; a hex text is returned as it is. */
export type FakeToken = { name?: string; symbol?: string; decimals?: number; totalSupply?: bigint };

/** What a node serves, and how. All of it may be changed while it runs. */
export type FakeNodeOptions = {
  chain: FakeChain;
  /** Whether logs carry the time of their block, as newer nodes do. */
  blockTimestamp?: boolean;
  /** How many blocks this node is behind. */
  lag?: number;
  tokens?: Record<Hex, FakeToken>;
  /** Answers calls that are no token's metadata; nothing means that it reverts. */
  onCall?: (to: Hex, data: Hex, block: FakeBlock) => Hex | undefined;
};

/** A node that runs, and ways to make it misbehave. */
export type FakeNode = {
  url: string;
  wsUrl: string;
  /** Every request so far, oldest first. */
  calls: FakeCall[];
  /** How many requests are being answered now, and how many there were at most. */
  inFlight: { now: number; most: number };
  options: FakeNodeOptions;
  /** Set it to answer otherwise; nothing means the chain answers. */
  script:
    | ((call: FakeCall) => FakeAnswer | undefined | Promise<FakeAnswer | undefined>)
    | undefined;
  /** Set it to change the text of an HTTP answer before it is sent. */
  mangle: ((body: string, calls: readonly FakeCall[]) => string) | undefined;
  /** How many WebSockets have been opened so far, and how many of the open ones hear new heads. */
  connections: number;
  subscribers(): number;
  /** Tells those that hear now something that is no head. */
  pushNonsense(result: unknown): void;
  /** Tells those that hear now no more heads, while their sockets stay open. */
  mute(): void;
  /** Cuts every WebSocket without a word. */
  dropSockets(): void;
  close(): Promise<void>;
};

type Wire = { jsonrpc: "2.0"; id: unknown } & (
  | { result: unknown }
  | { error: { code: number; message: string; data?: unknown } }
);

class HttpInstead extends Error {
  readonly answer: Exclude<FakeAnswer, { result: unknown } | { error: unknown }>;
  constructor(answer: HttpInstead["answer"]) {
    super("the script answers the whole request");
    this.answer = answer;
  }
}

/** A JSON-RPC node over HTTP and WebSocket that serves a chain in memory. */
export async function startFakeNode(options: FakeNodeOptions): Promise<FakeNode> {
  const server = createServer((request, response) => void serve(request, response));
  const sockets = new WebSocketServer({ server });
  /** Each subscription has an id of its own, on whatever socket. */
  const subscriptions = new Map<string, WebSocket>();
  const push = (result: unknown) => {
    for (const [subscription, socket] of subscriptions) {
      const params = { subscription, result };
      socket.send(JSON.stringify({ jsonrpc: "2.0", method: "eth_subscription", params }));
    }
  };
  const stopListening = options.chain.onHead((block) => {
    const { size: _, ...head } = wireBlock(block);
    push(head);
  });

  async function answer(request: unknown, isBatch: boolean): Promise<Wire> {
    const { id, method, params } = request as { id: unknown; method: string; params: unknown[] };
    const call = { method, params, isBatch };
    node.calls.push(call);
    const scripted = await node.script?.(call);
    if (scripted === undefined) return { jsonrpc: "2.0", id, ...answerFrom(node.options, call) };
    if (typeof scripted === "string" || "status" in scripted) throw new HttpInstead(scripted);
    return { jsonrpc: "2.0", id, ...scripted };
  }

  async function answerText(body: string): Promise<string> {
    const parsed: unknown = JSON.parse(body);
    const already = node.calls.length;
    const answered = Array.isArray(parsed)
      ? await Promise.all(parsed.map((request) => answer(request, true)))
      : await answer(parsed, false);
    const plain = JSON.stringify(answered);
    return node.mangle?.(plain, node.calls.slice(already)) ?? plain;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    node.inFlight.most = Math.max(node.inFlight.most, ++node.inFlight.now);
    try {
      const body = await answerText(await text(request));
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    } catch (error) {
      if (!(error instanceof HttpInstead)) response.destroy();
      else if (error.answer === "drop") response.destroy();
      else if (error.answer !== "hang") {
        const { status, headers, body } = error.answer;
        response.writeHead(status, headers).end(body);
      }
    } finally {
      node.inFlight.now--;
    }
  }

  /** Subscribing is between the node and one socket; everything else is answered as over HTTP. */
  async function answerMessage(socket: WebSocket, message: string): Promise<string> {
    const request = JSON.parse(message) as { id?: unknown; method?: string; params?: unknown[] };
    const reply = (result: unknown) => JSON.stringify({ jsonrpc: "2.0", id: request.id, result });
    if (request.method === "eth_subscribe") {
      node.calls.push({ method: request.method, params: request.params ?? [], isBatch: false });
      const id = hex(node.calls.length);
      subscriptions.set(id, socket);
      return reply(id);
    }
    if (request.method === "eth_unsubscribe")
      return reply(subscriptions.delete(String(request.params?.[0])));
    return answerText(message);
  }

  sockets.on("connection", (socket) => {
    node.connections++;
    socket.on("message", (message) => {
      answerMessage(socket, String(message)).then(
        (answer) => socket.send(answer),
        () => socket.terminate(),
      );
    });
    socket.on("close", () => {
      for (const [id, owner] of subscriptions) if (owner === socket) subscriptions.delete(id);
    });
  });

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const node: FakeNode = {
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    calls: [],
    inFlight: { now: 0, most: 0 },
    options,
    script: undefined,
    mangle: undefined,
    connections: 0,
    subscribers: () => subscriptions.size,
    pushNonsense: push,
    mute: () => subscriptions.clear(),
    dropSockets() {
      for (const socket of sockets.clients) socket.terminate();
    },
    async close() {
      stopListening();
      node.dropSockets();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return node;
}

type Outcome = { result: unknown } | { error: { code: number; message: string; data?: unknown } };

function answerFrom(options: FakeNodeOptions, { method, params }: FakeCall): Outcome {
  const { chain } = options;
  const head = chain.byNumber(chain.head().number - (options.lag ?? 0)) ?? chain.head();
  const numbered = (tag: unknown) => {
    const number = typeof tag === "string" && tag.startsWith("0x") ? Number(tag) : head.number;
    return number <= head.number ? chain.byNumber(number) : undefined;
  };
  switch (method) {
    case "eth_chainId":
      return { result: hex(chain.chainId) };
    case "eth_blockNumber":
      return { result: hex(head.number) };
    case "eth_getBlockByNumber":
      return { result: orNull(numbered(params[0]), wireBlock) };
    case "eth_getBlockByHash":
      return { result: orNull(chain.byHash(params[0] as Hex), wireBlock) };
    case "eth_getLogs":
      return findLogs(options, params[0] as WireFilter, numbered, head.number);
    case "eth_call":
      return callContract(options, params[0] as { to: Hex; data: Hex }, numbered(params[1]));
    case "eth_getTransactionByHash": {
      const hash = params[0] as Hex;
      return { result: orNull(chain.originOf(hash), (from) => ({ hash, from })) };
    }
    default:
      return { error: { code: -32601, message: `the method ${method} does not exist` } };
  }
}

const orNull = <Value, Result>(value: Value | undefined, map: (value: Value) => Result) =>
  value === undefined ? null : map(value);

function wireBlock(block: FakeBlock) {
  return {
    number: hex(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: hex(block.time),
    logsBloom: block.logsBloom,
    miner: `0x${"c0".repeat(20)}`,
    size: hex(600 + block.logs.length),
    gasLimit: hex(30_000_000),
    gasUsed: hex(50_000 * block.logs.length),
    transactions: [...new Set(block.logs.map(({ transactionHash }) => transactionHash))],
  };
}

type WireFilter = {
  fromBlock?: string;
  toBlock?: string;
  blockHash?: Hex;
  address?: Hex | Hex[];
  topics?: (Hex | Hex[] | null)[];
};

function findLogs(
  { chain, blockTimestamp = true }: FakeNodeOptions,
  filter: WireFilter,
  numbered: (tag: unknown) => FakeBlock | undefined,
  head: number,
): Outcome {
  const blocks: (FakeBlock | undefined)[] = [];
  if (filter.blockHash) {
    const block = chain.byHash(filter.blockHash);
    if (!block || block.number > head) return { error: { code: -32000, message: "unknown block" } };
    blocks.push(block);
  } else {
    const to = Math.min(Number(filter.toBlock), head);
    for (let number = Number(filter.fromBlock); number <= to; number++)
      blocks.push(numbered(hex(number)));
  }
  const matches = matcherOf(filter);
  const result = blocks.flatMap((block) => {
    const found = block?.logs.filter(matches) ?? [];
    return blockTimestamp
      ? found.map((log) => ({ ...log, blockTimestamp: hex(block?.time ?? 0) }))
      : found;
  });
  return { result };
}

function matcherOf({ address, topics = [] }: WireFilter): (log: WireLog) => boolean {
  const addresses = address === undefined ? undefined : new Set([address].flat());
  const wanted = topics.map((topic) => (topic === null ? undefined : new Set([topic].flat())));
  return (log) =>
    (addresses?.has(log.address) ?? true) &&
    wanted.every((set, at) => set === undefined || set.has(log.topics[at] ?? "0x"));
}

const metadata: Record<string, keyof FakeToken> = {
  "0x06fdde03": "name",
  "0x95d89b41": "symbol",
  "0x313ce567": "decimals",
  "0x18160ddd": "totalSupply",
};

function callContract(
  { tokens, onCall }: FakeNodeOptions,
  { to, data }: { to: Hex; data: Hex },
  block: FakeBlock | undefined,
): Outcome {
  if (!block) return { error: { code: -32000, message: "header not found" } };
  const result = callToken(tokens ?? {}, to, data) ?? onCall?.(to, data, block);
  return result === undefined
    ? { error: { code: 3, message: "execution reverted", data: "0x" } }
    : { result };
}

/** What a token's contract answers; nothing: it reverts. */
export function callToken(tokens: Record<Hex, FakeToken>, to: Hex, data: Hex): Hex | undefined {
  const field = metadata[data];
  const value = field && tokens[to]?.[field];
  return value === undefined ? undefined : encode(value);
}

/** As the ABI has it: a number is one word, a text its offset, its length and its bytes. */
function encode(value: string | number | bigint): Hex {
  if (typeof value !== "string") return `0x${value.toString(16).padStart(64, "0")}`;
  if (value.startsWith("0x")) return value as Hex;
  const bytes = Buffer.from(value);
  const padded = Buffer.concat([bytes, Buffer.alloc((32 - (bytes.length % 32)) % 32)]);
  const word = (count: number) => count.toString(16).padStart(64, "0");
  return `0x${word(32)}${word(bytes.length)}${padded.toString("hex")}`;
}
