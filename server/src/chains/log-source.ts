import { backoffMs } from "../lib/backoff.ts";
import type { Clock } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import type { Log as Logger } from "../lib/log.ts";
import type { Random } from "../lib/random.ts";
import { agreedAnswer, type Sourced } from "./agreement.ts";
import { mayContain } from "./bloom.ts";
import type { Header, Log } from "./chain.ts";
import type { Endpoint } from "./endpoint.ts";
import { toQuantity } from "./header.ts";
import type { Hex } from "./hex.ts";
import { type RpcReply, type RpcRequest, resultOf } from "./json-rpc.ts";
import type { NodeLimits } from "./limits.ts";
import { type LogAnswer, type LogScope, readLogs, sameLogs } from "./log-answer.ts";
import type { PreparedFilter } from "./log-filter.ts";
import type { Pool } from "./pool.ts";
import { readRangeError } from "./range-errors.ts";
import { textOf } from "./rpc-errors.ts";
import { RpcFailure } from "./rpc-failure.ts";

export type BlockRange = { from: number; to: number };

/** Logs as they were asked for in one go. */
export type FetchedLogs = { logs: Log[]; bytes: number };

export type LogSource = {
  /** All logs of a range, believed. Throws an `RpcFailure` when the range should be split. */
  ofRange(
    range: BlockRange,
    filter: PreparedFilter,
    signal: AbortSignal,
  ): Promise<Sourced<FetchedLogs>>;
  /** All logs of a block, believed. */
  ofBlock(
    header: Header,
    filter: PreparedFilter,
    signal: AbortSignal,
  ): Promise<Sourced<FetchedLogs>>;
};

type LogSourceOptions = {
  pool: Pool;
  agreeing: number;
  headers(numbers: readonly number[], signal: AbortSignal): Promise<Header[]>;
  limits: NodeLimits;
  clock: Clock;
  random: Random;
  log: Logger;
};

type Patience = { signal: AbortSignal; giveUpMs: number };

type Fetched = FetchedLogs & Pick<LogAnswer, "isTimed">;

/** A node may silently leave out blocks that it does not have, so it is asked how far it is near its head. */
const nearHeadBlocks = 64;

/** Asks for logs, checks the answers, and fills in what nodes leave out. */
export function openLogSource(options: LogSourceOptions): LogSource {
  const { pool, agreeing, headers, limits, clock, random, log } = options;

  async function askParts(endpoint: Endpoint, scope: LogScope, signal: AbortSignal) {
    const results: unknown[] = [];
    let bytes = 0;
    for (const part of scope.filter.parts) {
      const answer = await askPart(endpoint, scope, part, signal);
      results.push(answer.result);
      bytes += answer.bytes;
    }
    const { logs, isTimed, repeated } = readLogs(results, scope);
    const { from, to } = scope;
    if (repeated > 0) log.info({ host: endpoint.host, from, to, repeated }, "logs came repeatedly");
    return { logs, isTimed, bytes };
  }

  async function askPart(
    endpoint: Endpoint,
    { from, to, block }: LogScope,
    part: PreparedFilter["parts"][number],
    signal: AbortSignal,
  ): Promise<{ result: unknown; bytes: number }> {
    const isNearHead = !block && to > endpoint.learnt.head - nearHeadBlocks;
    const where = block
      ? { blockHash: block.hash }
      : { fromBlock: toQuantity(from), toBlock: toQuantity(to) };
    const request: RpcRequest = { method: "eth_getLogs", params: [{ ...where, ...part }] };
    const requests = isNearHead ? [headRequest, request] : [request];
    const { replies, bytes } = await endpoint.ask(requests, signal, {
      timeoutMs: limits.logRequestMs,
      bodyMostBytes: from === to ? limits.bodyMostBytes : limits.logBodyMostBytes,
    });
    if (isNearHead) checkHead(endpoint, replies[0], to);
    return { result: logsResult(endpoint, replies.at(-1), to - from + 1), bytes };
  }

  /** Asks until a good answer comes. Times that are not in it come from headers, which must have the same hashes. */
  async function askTimed(
    scope: LogScope,
    avoid: ReadonlySet<Endpoint>,
    work: (endpoint: Endpoint) => Promise<Fetched>,
    { signal, giveUpMs }: Patience,
  ): Promise<Sourced<FetchedLogs>> {
    const deadline = clock.now() + giveUpMs;
    for (;;) {
      const { value, endpoint } = await pool.run(
        async (asked) => ({ value: await work(asked), endpoint: asked }),
        { signal, giveUpMs, avoid, ...(scope.from < scope.to && { returns: isAvoidable }) },
      );
      if (value.isTimed) return { value, endpoint };
      const problem = await fillTimes(value.logs, (numbers) => headers(numbers, signal));
      if (!problem) return { value, endpoint };
      endpoint.standing.failed(new RpcFailure("wrong", problem), endpoint.standing.turn());
      if (clock.now() >= deadline) throw new UnavailableError(`Logs do not fit: ${problem}.`);
    }
  }

  function agreed({ from, to }: LogScope, { signal, giveUpMs }: Patience, ask: AskAvoiding) {
    if (agreeing <= 1) return ask(new Set());
    const pauses = { firstMs: limits.restFirstMs, mostMs: limits.restMostMs };
    return agreedAnswer({
      agreeing,
      usable: pool.usable,
      ask,
      isSame: (a, b) => sameLogs(a.logs, b.logs),
      what: { from, to },
      pause: (round) => clock.sleep(backoffMs(round, pauses, random), signal),
      giveUpMs,
      clock,
      log,
    });
  }

  return {
    ofRange({ from, to }, filter, signal) {
      const scope = { from, to, filter };
      const patience = { signal, giveUpMs: limits.giveUpMs };
      const work = (endpoint: Endpoint) => {
        checkLength(endpoint, to - from + 1);
        return askParts(endpoint, scope, signal);
      };
      return agreed(scope, patience, (avoid) => askTimed(scope, avoid, work, patience));
    },

    ofBlock(header, filter, signal) {
      const { number, hash, time, logsBloom } = header;
      const scope = { from: number, to: number, filter, block: { hash, time } };
      const isExpected = bloomSuggests(logsBloom, filter);
      const patience = { signal, giveUpMs: limits.giveUpBlockMs };
      return agreed(scope, patience, (avoid) => {
        let emptyAnswers = 0;
        const work = async (endpoint: Endpoint) => {
          const answer = await askParts(endpoint, scope, signal);
          const isDoubtful = isExpected && answer.logs.length === 0;
          if (isDoubtful && ++emptyAnswers < limits.bloomAnswers)
            throw new RpcFailure("missing", `it has no logs of block ${number}, which should`);
          return answer;
        };
        return askTimed(scope, avoid, work, patience);
      });
    },
  };
}

/** Whether a smaller range may avoid a failure. What is broken once may be so for any request. */
const isAvoidable = ({ kind }: RpcFailure, earlier: number) =>
  kind === "wide" || kind === "slow" || (kind === "broken" && earlier > 0);

type AskAvoiding = (avoid: ReadonlySet<Endpoint>) => Promise<Sourced<FetchedLogs>>;

const headRequest: RpcRequest = { method: "eth_blockNumber", params: [] };

/** Does not even ask for more than an endpoint is known to take. */
function checkLength({ learnt }: Endpoint, blocks: number): void {
  if (blocks <= learnt.mostBlocks) return;
  const advice = { mostBlocks: learnt.mostBlocks };
  throw new RpcFailure("wide", `it takes at most ${learnt.mostBlocks} blocks`, { advice });
}

function checkHead(endpoint: Endpoint, reply: RpcReply | undefined, needed: number): void {
  const head = Number(reply && resultOf(reply));
  if (!Number.isSafeInteger(head)) throw new RpcFailure("wrong", "its head is no number");
  endpoint.learnt.head = Math.max(endpoint.learnt.head, head);
  if (head < needed) throw new RpcFailure("missing", `it is at block ${head}, before ${needed}`);
}

/** The logs in a reply. A refusal is understood, and what it says about limits remembered. */
function logsResult(endpoint: Endpoint, reply: RpcReply | undefined, blocks: number): unknown {
  if (!reply) throw new RpcFailure("broken", "the answer is empty");
  if (!("error" in reply)) return reply.result;
  const text = textOf(reply.error);
  const advice = readRangeError(text, blocks);
  if (!advice) return resultOf(reply);
  endpoint.learn(advice);
  throw new RpcFailure("wide", text, { advice });
}

/** Whether a block should hold such logs, as far as its bloom can tell. */
function bloomSuggests(bloom: Hex, { topics, addresses }: PreparedFilter): boolean {
  const someIn = (values: ReadonlySet<Hex> | undefined) =>
    !values || [...values].some((value) => mayContain(bloom, value));
  return (topics !== undefined || addresses !== undefined) && someIn(topics) && someIn(addresses);
}

/** Puts the times of their blocks into logs. Returns what does not fit, if anything. */
async function fillTimes(
  logs: readonly Log[],
  headersOf: (numbers: readonly number[]) => Promise<Header[]>,
): Promise<string | undefined> {
  const numbers = [...new Set(logs.map(({ block }) => block))];
  const headers = new Map((await headersOf(numbers)).map((header) => [header.number, header]));
  for (const log of logs) {
    const header = headers.get(log.block);
    if (header?.hash !== log.blockHash)
      return `logs of block ${log.block} have another hash than the block`;
    log.time = header.time;
  }
  return undefined;
}
