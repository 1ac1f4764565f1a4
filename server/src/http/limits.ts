import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { CallerError } from "../lib/errors.ts";

/** How many requests a key may make in a window, and how many bad keys an address may try in a minute. */
export type LimitSettings = { requests: number; windowSeconds: number; badKeysPerMinute: number };

export type Limits = {
  /** Counts a request of a key. Returns the headers that tell where it stands, or throws 429. */
  countRequest(keyId: string): Promise<Record<string, string>>;
  /** Counts a bad key from an address. Throws 429 when somebody is guessing. */
  countBadKey(address: string): Promise<void>;
};

/** An error that also brings headers along. */
export class LimitError extends CallerError {
  readonly headers: Record<string, string>;

  constructor(retryAfterSeconds: number, headers: Record<string, string>) {
    super("too_many_requests", `Too many requests. Retry after ${retryAfterSeconds} seconds.`);
    this.headers = { ...headers, "retry-after": String(retryAfterSeconds) };
  }
}

/** Limits by key and by address, kept in memory: each process counts for itself. */
export function openLimits({ requests, windowSeconds, badKeysPerMinute }: LimitSettings): Limits {
  const perKey = new RateLimiterMemory({ points: requests, duration: windowSeconds });
  const perAddress = new RateLimiterMemory({ points: badKeysPerMinute, duration: 60 });
  const policy = `"default";q=${requests};w=${windowSeconds}`;

  const headersOf = ({ remainingPoints, msBeforeNext }: RateLimiterRes) => ({
    "ratelimit-policy": policy,
    ratelimit: `"default";r=${remainingPoints};t=${seconds(msBeforeNext)}`,
  });

  return {
    countRequest: (keyId) =>
      perKey.consume(keyId).then(headersOf, (refused) => {
        if (refused instanceof RateLimiterRes)
          throw new LimitError(seconds(refused.msBeforeNext), headersOf(refused));
        throw refused;
      }),
    async countBadKey(address) {
      await perAddress.consume(address).catch((refused) => {
        if (refused instanceof RateLimiterRes)
          throw new LimitError(seconds(refused.msBeforeNext), {});
        throw refused;
      });
    },
  };
}

/** Never earlier than the window really ends. */
function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
