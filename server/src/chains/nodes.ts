import { setMaxListeners } from "node:events";
import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { isObject } from "../lib/is-object.ts";
import type { Log as Logger } from "../lib/log.ts";
import type { Random } from "../lib/random.ts";
import { askEach } from "./ask.ts";
import type { Chain, Header, LogFilter, Nodes } from "./chain.ts";
import { type Endpoint, openEndpoint } from "./endpoint.ts";
import { headerRequest, readHeader } from "./header.ts";
import { followHeads } from "./heads.ts";
import type { Hex } from "./hex.ts";
import { httpTransport } from "./http-transport.ts";
import { type RpcReply, type RpcRequest, resultOf } from "./json-rpc.ts";
import { compareHeads } from "./lag.ts";
import { defaultLimits, type NodeLimits } from "./limits.ts";
import { prepareFilter } from "./log-filter.ts";
import { streamRanges } from "./log-ranges.ts";
import { openLogSource } from "./log-source.ts";
import { openPool, type Pool } from "./pool.ts";
import { firstRangeSize } from "./range-size.ts";
import { readBytes, readData, toQuantity } from "./read-hex.ts";
import { isRevert } from "./rpc-errors.ts";
import { RpcFailure } from "./rpc-failure.ts";
import { displayHost, scrubberFor } from "./secrets.ts";
import { socketTransport } from "./socket-transport.ts";
import { openStanding } from "./standing.ts";

/** What it takes to ask the nodes of a chain. */
export type NodesOptions = {
  chain: Chain;
  clock: Clock;
  random: Random;
  log: Logger;
  fetch?: typeof fetch;
  limits?: Partial<NodeLimits>;
};

/** Opens the nodes of a chain. One of another chain is the operator's mistake; one that is away may come back. */
export async function openNodes(options: NodesOptions): Promise<Nodes> {
  const { chain, clock } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const log = options.log.child({ chain: chain.id });
  const closing = new AbortController();
  const closed = closing.signal;
  setMaxListeners(Number.POSITIVE_INFINITY, closed);
  const endpoints = openEndpoints({ ...options, limits, log }, closed);
  const pool = openPool({ chainId: chain.id, endpoints, clock, random: options.random, limits });
  const ask = { signal: closed, giveUpMs: limits.giveUpMs, batchesAtOnce: limits.batchesAtOnce };
  /** The endpoint whose logs were handed on last. */
  let lastSource: Endpoint | undefined;
  let highest = -1;

  async function askOne<Result>(
    request: RpcRequest,
    read: (reply: RpcReply) => Result,
    signal = closed,
    more: { prefer?: Endpoint; giveUpMs?: number } = {},
  ): Promise<Result> {
    const run = async (endpoint: Endpoint) => {
      const { replies } = await endpoint.ask([request], signal);
      if (!replies[0]) throw new RpcFailure("broken", "the answer is empty");
      return read(replies[0]);
    };
    return pool.run(run, { signal, giveUpMs: limits.giveUpMs, ...more });
  }

  function seen(header: Header): Header {
    highest = Math.max(highest, header.number);
    return header;
  }

  const head = (signal = closed) =>
    askOne(headerRequest("latest"), (reply) => seen(readHeader(resultOf(reply), "latest")), signal);

  const headers = (numbers: readonly number[], signal = closed) =>
    askEach(
      pool,
      numbers.map(headerRequest),
      (reply, index) => seen(readHeader(resultOf(reply), numbers[index] ?? -1)),
      { ...ask, signal },
    );

  /** Asks for a header that was just told of, first where it was told. */
  const headerByHash = async (told: unknown, prefer: Endpoint, signal: AbortSignal) => {
    const hash = readBytes(told, 32, "hash");
    const read = (reply: RpcReply) => {
      const header = readHeader(resultOf(reply), "latest");
      if (header.hash !== hash) throw new RpcFailure("wrong", "it answers with another block");
      return seen(header);
    };
    const request = { method: "eth_getBlockByHash", params: [hash, false] };
    return askOne(request, read, signal, { prefer, giveUpMs: limits.requestMs });
  };

  /** Nulls are asked again a few times: a replica may lag. Then they are believed. */
  function patience(): (index: number) => boolean {
    const nulls = new Map<number, number>();
    return (index) => {
      nulls.set(index, (nulls.get(index) ?? 0) + 1);
      return (nulls.get(index) ?? 0) < limits.nullAnswers;
    };
  }

  const source = openLogSource({
    ...options,
    pool,
    agreeing: chain.agreeing,
    headers,
    limits,
    log,
  });
  const prepare = (filter: LogFilter) => prepareFilter(filter, limits.addressesMost);
  await checkChainIds(pool, limits.startMs, clock, closed);

  return {
    head: () => head(),

    header(number) {
      const isLagging = patience();
      return askOne(headerRequest(number), (reply) => {
        const result = resultOf(reply);
        const isMissing = result === null && number <= highest && isLagging(number);
        return result === null && !isMissing ? undefined : seen(readHeader(result, number));
      });
    },

    headers: (numbers) => headers(numbers),

    heads: (signal) =>
      followHeads({
        sockets: pool.endpoints.filter(({ transport }) => transport.followHeads),
        head,
        headerByHash,
        compareHeads:
          pool.endpoints.length > 1 ? (inner) => compareHeads(pool, limits, inner) : undefined,
        limits,
        clock,
        log,
        signal: AbortSignal.any([signal, closed]),
      }),

    async *streamLogs(filter, from, to, signal) {
      const prepared = prepare(filter);
      if (prepared.parts.length === 0) {
        if (from <= to) yield { from, to, logs: [] };
        return;
      }
      yield* streamRanges({
        from,
        to,
        fetch: (range, inner) => source.ofRange(range, prepared, inner),
        size: firstRangeSize({
          firstBlocks: limits.rangeFirstBlocks,
          mostBlocks: limits.rangeMostBlocks,
          logs: limits.rangeTargetLogs,
          bytes: limits.rangeTargetBytes,
        }),
        mostBlocks: () => pool.preferred().learnt.mostBlocks,
        handedOn: ({ endpoint }) => {
          lastSource = endpoint;
        },
        rangesAtOnce: limits.rangesAtOnce,
        bufferedLogsMost: limits.bufferedLogsMost,
        signal: AbortSignal.any([signal, closed]),
      });
    },

    async blockLogs(header, filter) {
      const prepared = prepare(filter);
      if (prepared.parts.length === 0) return [];
      const { value, endpoint } = await source.ofBlock(header, prepared, closed);
      lastSource = endpoint;
      return value.logs;
    },

    call: (calls, block) =>
      askEach(
        pool,
        calls.map((call) => ({
          method: "eth_call",
          params: [call, block === undefined ? "latest" : toQuantity(block)],
        })),
        (reply) =>
          "error" in reply && isRevert(reply.error)
            ? undefined
            : readData(resultOf(reply), "the result of a call"),
        ask,
      ),

    async origins(hashes) {
      const isLagging = patience();
      const found = await askEach(
        pool,
        hashes.map((hash) => ({ method: "eth_getTransactionByHash", params: [hash] })),
        (reply, index) =>
          readOrigin(resultOf(reply), hashes[index] ?? "0x", () => isLagging(index)),
        ask,
      );
      const pairs = hashes.map((hash, index) => [hash, found[index]] as const);
      return new Map(pairs.filter((pair): pair is readonly [Hex, Hex] => pair[1] !== undefined));
    },

    distrust(reason) {
      lastSource?.standing.distrust(reason, limits.distrustMs);
    },

    health: () => pool.health(),

    async close() {
      closing.abort();
      for (const { transport } of pool.endpoints) transport.close();
    },
  };
}

type OpenOptions = NodesOptions & { limits: NodeLimits };

function openEndpoints(options: OpenOptions, closed: AbortSignal): Endpoint[] {
  const { chain, clock, random, log, limits } = options;
  return chain.rpcUrls.map((rpcUrl) => {
    const url = parseUrl(rpcUrl, chain.id);
    const host = displayHost(url);
    const transport = url.protocol.startsWith("ws")
      ? socketTransport(url, {
          bodyMostBytes: limits.bodyMostBytes,
          connectMs: limits.requestMs,
        })
      : httpTransport(url, { fetch: options.fetch ?? fetch, now: () => clock.now() });
    const standing = openStanding({ host, clock, random, log, limits });
    return openEndpoint({
      host,
      chain,
      transport,
      standing,
      scrub: scrubberFor(url),
      limits,
      log,
      closed,
    });
  });
}

function parseUrl(text: string, chainId: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^(?:https?|wss?):$/.test(url.protocol))
    throw new OperatorError(
      `An entry of chains.${chainId}.rpcUrls is no http, https, ws or wss address.`,
    );
  return url;
}

/** Asks everybody once which chain they are on. Who does not answer in time is asked before the first real question. */
async function checkChainIds(
  pool: Pool,
  startMs: number,
  clock: Clock,
  closed: AbortSignal,
): Promise<void> {
  pool.preferred();
  const asked = pool.endpoints.map((endpoint) =>
    pool
      .runOn(endpoint, async () => {}, { signal: closed })
      .catch((error) => {
        if (error instanceof OperatorError) throw error;
      }),
  );
  const patience = new AbortController();
  await Promise.race([Promise.all(asked), clock.sleep(startMs, patience.signal)]).finally(() =>
    patience.abort(),
  );
}

/** Who sent a transaction, or nothing when nobody knows it. */
function readOrigin(result: unknown, hash: Hex, isLagging: () => boolean): Hex | undefined {
  if (result === null) {
    if (isLagging()) throw new RpcFailure("missing", `it has no transaction ${hash}`);
    return undefined;
  }
  if (!isObject(result) || readBytes(result.hash, 32, "hash") !== hash.toLowerCase())
    throw new RpcFailure("wrong", "it answers with another transaction");
  return readBytes(result.from, 20, "from");
}
