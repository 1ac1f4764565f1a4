import { backoffMs } from "../lib/backoff.ts";
import type { Clock } from "../lib/clock.ts";
import { OperatorError, UnavailableError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import type { EndpointHealth } from "./chain.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Pace } from "./limiter.ts";
import type { NodeLimits } from "./limits.ts";
import { type FailureKind, RpcFailure } from "./rpc-failure.ts";
import { untilAborted } from "./transport.ts";

/** How long to try, and with whom. */
export type RunOptions = {
  signal: AbortSignal;
  giveUpMs: number;
  /** Asked only when there is nobody else worth waiting for. */
  avoid?: ReadonlySet<Endpoint>;
  /** Asked first, if it is well. */
  prefer?: Endpoint;
  /** Failures that the caller deals with itself, for example by asking for less; `earlier` ones it did not. */
  returns?: (failure: RpcFailure, earlier: number) => boolean;
};

type Work<Result> = (endpoint: Endpoint) => Promise<Result>;

/** The endpoints of a chain, as one. */
export type Pool = {
  readonly endpoints: readonly Endpoint[];
  /** Hands endpoints to `work`, the best first, until one of them gives an answer that it accepts. */
  run<Result>(work: Work<Result>, options: RunOptions): Promise<Result>;
  /** The same with one endpoint, once. */
  runOn<Result>(
    endpoint: Endpoint,
    work: Work<Result>,
    options: Pick<RunOptions, "signal" | "returns">,
  ): Promise<Result>;
  /** Whom we would ask now. */
  preferred(): Endpoint;
  /** How many are worth waiting for. */
  usable(): number;
  health(): EndpointHealth[];
};

/** An endpoint is not asked because it rests. */
class Resting extends RpcFailure {
  constructor() {
    super("away", "it rests");
  }
}

/** What a failure says about how often we ask. */
const paceOf: Partial<Record<FailureKind, Pace>> = { limited: "tooFast", slow: "tooFast" };

/** A run, as far as it has come. */
type Progress = {
  /** Endpoints that are well, but do not know (yet) what is asked. */
  lacking: Set<Endpoint>;
  /** How often everybody has been asked in vain. */
  rounds: number;
  failures: number;
  last: RpcFailure | undefined;
};

type PoolOptions = {
  chainId: string;
  endpoints: readonly Endpoint[];
  clock: Clock;
  random: Random;
  limits: NodeLimits;
};

/** Joins endpoints into a pool. Those named first are preferred while they are well. */
export function openPool({ chainId, endpoints, clock, random, limits }: PoolOptions): Pool {
  const pauses = { firstMs: limits.restFirstMs, mostMs: limits.restMostMs };
  const isResting = ({ standing }: Endpoint) => standing.restsUntil() > clock.now();

  /** In the order of the configuration, but those who are not trusted last. */
  function ranked(): Endpoint[] {
    const now = clock.now();
    const rank = ({ standing }: Endpoint) => Math.max(now, standing.distrustedUntil());
    return [...endpoints].sort((a, b) => rank(a) - rank(b));
  }

  /** Whom we would ask, the best first. Those to avoid only when nobody else is worth waiting for. */
  function candidates({ avoid, prefer }: RunOptions): Endpoint[] {
    const all = ranked();
    if (prefer) return [prefer, ...all];
    const others = all.filter((endpoint) => !avoid?.has(endpoint));
    return others.some(({ standing }) => !standing.isLost()) ? others : [...others, ...all];
  }

  function gaveUp(last: RpcFailure | undefined): UnavailableError {
    const hosts = [...new Set(endpoints.map(({ host }) => host))].join(", ");
    const reason = last?.message ?? "they all rest";
    return new UnavailableError(`No node of ${chainId} answers (${hosts}). Last reason: ${reason}`);
  }

  /** How long to wait for somebody: to ask again those who lacked something, or for one who rests. */
  function beginNextRound(asked: readonly Endpoint[], progress: Progress): number {
    if (progress.lacking.size > 0) {
      progress.lacking.clear();
      return backoffMs(progress.rounds++, pauses, random);
    }
    const wakesAt = Math.min(...asked.map(({ standing }) => standing.restsUntil()));
    if (wakesAt === Number.POSITIVE_INFINITY)
      throw new OperatorError(
        endpoints.map(({ standing }) => standing.health().lastError).join(" "),
      );
    return wakesAt - clock.now();
  }

  /** The failure, without anything secret, after it has had its effect on the endpoint's standing. */
  function judged(
    endpoint: Endpoint,
    error: unknown,
    turn: number,
    returns: RunOptions["returns"],
  ): RpcFailure {
    if (!(error instanceof RpcFailure)) throw error;
    const failure = new RpcFailure(error.kind, endpoint.scrub(error.message), error.details);
    // It may lack something, or refuse batches and ranges that are too wide, and still be well.
    const isInnocent =
      failure.kind === "missing" ||
      failure.details.refusesBatch ||
      (failure.kind === "wide" && returns?.(failure, 0));
    if (!isInnocent) endpoint.standing.failed(failure, turn);
    return failure;
  }

  const runOn: Pool["runOn"] = async (endpoint, work, { signal, returns }) => {
    const leave = await endpoint.limiter.enter(signal);
    const turn = endpoint.standing.turn();
    let pace: Pace = "unclear";
    try {
      if (isResting(endpoint)) throw new Resting();
      await untilAborted(endpoint.identify(), signal);
      const result = await work(endpoint);
      pace = "fine";
      endpoint.standing.succeeded();
      return result;
    } catch (error) {
      if (error instanceof Resting) throw error;
      const failure = judged(endpoint, error, turn, returns);
      pace = paceOf[failure.kind] ?? "unclear";
      throw failure;
    } finally {
      leave(pace);
    }
  };

  /** Remembers a failure that may not happen elsewhere, and throws every other. */
  function remember(
    error: unknown,
    endpoint: Endpoint,
    { returns }: RunOptions,
    progress: Progress,
  ): void {
    // It went to rest meanwhile, or is of another chain, which is in the log and in health.
    if (error instanceof Resting || error instanceof OperatorError) return;
    if (!(error instanceof RpcFailure) || returns?.(error, progress.failures)) throw error;
    if (error.kind === "missing") progress.lacking.add(endpoint);
    progress.failures++;
    progress.last = error;
  }

  return {
    endpoints,
    runOn,
    preferred() {
      const all = ranked();
      const first = all.find((endpoint) => !isResting(endpoint)) ?? all[0];
      if (!first) throw new OperatorError(`${chainId} has no rpcUrls.`);
      return first;
    },
    usable: () => endpoints.filter(({ standing }) => !standing.isLost()).length,
    async run(work, options) {
      const { signal, giveUpMs } = options;
      const deadline = clock.now() + giveUpMs;
      const progress: Progress = { lacking: new Set(), rounds: 0, failures: 0, last: undefined };
      do {
        signal.throwIfAborted();
        const asked = candidates(options);
        const endpoint = asked.find((one) => !isResting(one) && !progress.lacking.has(one));
        if (!endpoint) {
          const ms = Math.min(beginNextRound(asked, progress), deadline - clock.now());
          await clock.sleep(Math.max(1, ms), signal);
          continue;
        }
        try {
          return await runOn(endpoint, work, options);
        } catch (error) {
          remember(error, endpoint, options, progress);
        }
      } while (clock.now() < deadline);
      throw gaveUp(progress.last);
    },
    health: () => endpoints.map(({ standing }) => standing.health()),
  };
}
