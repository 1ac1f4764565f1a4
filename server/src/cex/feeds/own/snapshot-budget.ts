import { backoffMs } from "../../../lib/backoff.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Random } from "../../../lib/random.ts";

/** At least a second between two of one market, and more each time. */
const pause = { firstMs: 2_000, mostMs: 60_000 };
/** A book that was right for so long earns its market a fresh start. */
const steadyMs = 30_000;
/** So many may be asked for at once after a quiet time, or as many as in two seconds if that is more. */
const burst = 5;
const burstMs = 2_000;

/** How often a market's book was asked for lately. */
export type Asking = { attempts: number; askedAt: number };

/** Says how often whole books may be asked for, of one market and of all of them together. */
export class SnapshotBudget {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #intervalMs: number;
  /** When the last that was granted would have been had they come evenly. */
  #evenly = 0;

  constructor(options: { perSecond: number; clock: Clock; random: Random }) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#intervalMs = 1_000 / options.perSecond;
  }

  /** Waits until a market may ask, and counts that it does, unless the signal aborts before. */
  async wait(asking: Asking, signal: AbortSignal): Promise<void> {
    await this.#sleepUntil(asking.askedAt + this.#pauseOf(asking), signal);
    if (signal.aborted) return;
    const now = this.#clock.now();
    const sparedMs = Math.max(burstMs, burst * this.#intervalMs);
    this.#evenly = Math.max(now - sparedMs, this.#evenly) + this.#intervalMs;
    await this.#sleepUntil(this.#evenly, signal);
    if (signal.aborted) return;
    asking.attempts++;
    asking.askedAt = this.#clock.now();
  }

  /** The book of a market was lost after it had been right since then. */
  lost(asking: Asking, rightSince: number): void {
    if (this.#clock.now() - rightSince >= steadyMs) asking.attempts = 0;
  }

  #pauseOf({ attempts }: Asking): number {
    return attempts === 0 ? 0 : backoffMs(attempts - 1, pause, this.#random);
  }

  async #sleepUntil(time: number, signal: AbortSignal): Promise<void> {
    const ms = time - this.#clock.now();
    if (ms > 0) await this.#clock.sleep(ms, signal);
  }
}
