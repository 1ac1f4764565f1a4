import { backoffMs } from "../lib/backoff.ts";
import type { Clock } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import type { Log as Logger } from "../lib/log.ts";
import type { Random } from "../lib/random.ts";
import { agreedAnswer, type Sourced } from "./agreement.ts";
import { mayContain } from "./bloom.ts";
import type { Header, Log } from "./chain.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Hex } from "./hex.ts";
import type { NodeLimits } from "./limits.ts";
import { type LogScope, sameLogs } from "./log-answer.ts";
import type { PreparedFilter } from "./log-filter.ts";
import { askForLogs, type FetchedLogs } from "./log-request.ts";
import type { Pool } from "./pool.ts";
import { RpcFailure } from "./rpc-failure.ts";

/** The blocks from one to another, both included. */
export type BlockRange = { from: number; to: number };

/** Logs, and who gave them. */
export type SourcedLogs = Sourced<{ logs: Log[]; bytes: number }>;

/** Where logs come from: all nodes of a chain. */
export type LogSource = {
  /** All logs of a range, believed. Throws an `RpcFailure` when the range should be split. */
  ofRange(range: BlockRange, filter: PreparedFilter, signal: AbortSignal): Promise<SourcedLogs>;
  /** All logs of a block, believed. */
  ofBlock(header: Header, filter: PreparedFilter, signal: AbortSignal): Promise<SourcedLogs>;
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

type Question = {
  scope: LogScope;
  /** Throws when an answer that is in order is not believed all the same. */
  check?: (logs: readonly Log[]) => void;
  giveUpMs: number;
  signal: AbortSignal;
};

/** Asks for logs until they can be believed, and fills in what nodes leave out. */
export function openLogSource(options: LogSourceOptions): LogSource {
  const { pool, agreeing, headers, limits, clock, random, log } = options;

  /** Asks until a good answer comes. */
  function askOnce(question: Question, avoid: ReadonlySet<Endpoint>) {
    const { scope, check, giveUpMs, signal } = question;
    const { from, to } = scope;
    const work = async (endpoint: Endpoint): Promise<Sourced<FetchedLogs>> => {
      const value = await askForLogs(endpoint, scope, limits, signal);
      check?.(value.logs);
      const { repeated } = value;
      if (repeated > 0) log.info({ host: endpoint.host, from, to, repeated }, "logs came again");
      return { value, endpoint };
    };
    const isSplittable = from < to && { returns: isAvoidable };
    return pool.run(work, { signal, giveUpMs, avoid, ...isSplittable });
  }

  /** The same, with times. Those that are not in the logs come from headers, which must have the same hashes. */
  async function askTimed(question: Question, avoid: ReadonlySet<Endpoint>): Promise<SourcedLogs> {
    const { giveUpMs, signal } = question;
    const deadline = clock.now() + giveUpMs;
    for (;;) {
      const { value, endpoint } = await askOnce(question, avoid);
      if (value.isTimed) return { value, endpoint };
      const problem = await fillTimes(value.logs, (numbers) => headers(numbers, signal));
      if (!problem) return { value, endpoint };
      endpoint.standing.failed(new RpcFailure("wrong", problem), endpoint.standing.turn());
      if (clock.now() >= deadline)
        throw new UnavailableError(`The logs of ${endpoint.host} do not fit: ${problem}.`);
    }
  }

  function askAgreed(question: Question): Promise<SourcedLogs> {
    const { scope, giveUpMs, signal } = question;
    if (agreeing <= 1) return askTimed(question, new Set());
    const pauses = { firstMs: limits.restFirstMs, mostMs: limits.restMostMs };
    return agreedAnswer({
      agreeing,
      usable: pool.usable,
      ask: (avoid) => askTimed(question, avoid),
      isSame: (a, b) => sameLogs(a.logs, b.logs),
      what: `the logs of blocks ${scope.from} to ${scope.to}`,
      pause: (round) => clock.sleep(backoffMs(round, pauses, random), signal),
      giveUpMs,
      clock,
      log,
    });
  }

  return {
    ofRange: ({ from, to }, filter, signal) =>
      askAgreed({ scope: { from, to, filter }, giveUpMs: limits.giveUpMs, signal }),

    ofBlock({ number, hash, time, logsBloom }, filter, signal) {
      const isExpected = bloomSuggests(logsBloom, filter);
      let emptyAnswers = 0;
      const check = (logs: readonly Log[]) => {
        if (isExpected && logs.length === 0 && ++emptyAnswers < limits.bloomAnswers * agreeing)
          throw new RpcFailure("missing", `it has no logs of block ${number}, which should`);
      };
      const scope = { from: number, to: number, filter, block: { hash, time } };
      return askAgreed({ scope, check, giveUpMs: limits.giveUpBlockMs, signal });
    },
  };
}

/** Whether a smaller range may avoid a failure. What is broken once may be so for any request. */
const isAvoidable = ({ kind }: RpcFailure, earlier: number) =>
  kind === "wide" || kind === "slow" || (kind === "broken" && earlier > 0);

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
