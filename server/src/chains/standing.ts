import { backoffMs } from "../lib/backoff.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log as Logger } from "../lib/log.ts";
import type { Random } from "../lib/random.ts";
import type { EndpointHealth } from "./chain.ts";
import type { NodeLimits } from "./limits.ts";
import type { RpcFailure } from "./rpc-failure.ts";

/** What we think of an endpoint: whether it rests, for how long, and why. */
export type Standing = {
  /** When it may be asked again; in the past when it is well. */
  restsUntil(): number;
  /** Until when it comes after all others; in the past when it is trusted. */
  distrustedUntil(): number;
  /** Whether it has failed so often in a row that nobody should wait for it. */
  isLost(): boolean;
  /** Changes with every rest. A request remembers the turn in which it began. */
  turn(): number;
  succeeded(): void;
  failed(failure: RpcFailure, turn: number): void;
  /** Others are asked first for so long. */
  distrust(reason: string, ms: number): void;
  /** It is of another chain, and never asked again. */
  misplaced(reason: string): void;
  health(): EndpointHealth;
};

type StandingOptions = {
  host: string;
  clock: Clock;
  random: Random;
  log: Logger;
  limits: NodeLimits;
};

/** So many failures in a row are worth a line in the log; fewer are like the weather. */
const notableFailures = 3;

/** The standing of one endpoint. Trust is lost at once and comes back by half with every good answer. */
export function openStanding({ host, clock, random, log, limits }: StandingOptions): Standing {
  let failures = 0;
  let restsUntil = 0;
  let distrust = { until: 0, reason: "" };
  let turn = 0;
  let lastError: string | null = null;
  let isNoted = false;

  function rest(failure: RpcFailure): number {
    const pause = { firstMs: limits.restFirstMs, mostMs: limits.restMostMs };
    const ownMs = backoffMs(failures - 1, pause, random);
    const askedMs = Math.min(failure.details.waitMs ?? 0, limits.waitMostMs);
    return Math.max(ownMs, askedMs);
  }

  return {
    restsUntil: () => restsUntil,
    distrustedUntil: () => distrust.until,
    isLost: () => failures >= notableFailures || restsUntil === Number.POSITIVE_INFINITY,
    turn: () => turn,
    succeeded() {
      failures = Math.floor(failures / 2);
      if (failures > 0) return;
      lastError = null;
      if (isNoted) log.info({ host }, "a node is well again");
      isNoted = false;
    },
    failed(failure, begunIn) {
      // Requests that ran side by side fail together; that is one failure.
      if (begunIn !== turn || restsUntil === Number.POSITIVE_INFINITY) return;
      lastError = failure.message;
      turn++;
      failures++;
      const waitMs = rest(failure);
      restsUntil = clock.now() + waitMs;
      const details = { host, reason: failure.message, waitMs };
      if (failures >= notableFailures && !isNoted) {
        isNoted = true;
        log.warn(details, "a node keeps failing; it rests, with growing pauses");
      } else log.debug(details, "a node failed");
    },
    distrust(reason, ms) {
      if (distrust.until <= clock.now())
        log.warn({ host, reason }, "a node is not trusted for a while; others are asked first");
      distrust = { until: clock.now() + ms, reason };
    },
    misplaced(reason) {
      restsUntil = Number.POSITIVE_INFINITY;
      lastError = reason;
      log.error({ host, reason }, "a node is not of this chain; it is not asked again");
    },
    health: () => ({
      host,
      state: restsUntil > clock.now() ? "resting" : "ok",
      lastError: lastError ?? (distrust.until > clock.now() ? distrust.reason : null),
    }),
  };
}
