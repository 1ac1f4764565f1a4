import { UnavailableError } from "../lib/errors.ts";

/** How a request ended, as far as it says something about how many are too many. */
export type Pace = "fine" | "tooFast" | "unclear";

/** A place at an endpoint; called once, it is given back. */
type Leave = (pace: Pace) => void;

/** How many may ask an endpoint at once. */
export type Limiter = {
  /** Waits for a place. */
  enter(signal: AbortSignal): Promise<Leave>;
  /** How many may be inside at once, just now. */
  allowed(): number;
};

/** Allows one more with every full round that went well, and half as many as soon as it was too much. */
export function openLimiter({ most, waitingMost }: { most: number; waitingMost: number }): Limiter {
  const waiting: (() => void)[] = [];
  let allowed = most;
  let inside = 0;
  // What began before the last cut says nothing about the time since.
  let era = 0;

  function admitNext(): void {
    while (inside < Math.floor(allowed) && waiting.length > 0) {
      inside++;
      waiting.shift()?.();
    }
  }

  function place(): Leave {
    const begunIn = era;
    return (pace) => {
      inside--;
      if (pace === "fine") allowed = Math.min(most, allowed + 1 / allowed);
      if (pace === "tooFast" && begunIn === era) {
        allowed = Math.max(1, allowed / 2);
        era++;
      }
      admitNext();
    };
  }

  function waitForPlace(signal: AbortSignal): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const admitted = () => {
        signal.removeEventListener("abort", gaveUp);
        resolve(place());
      };
      const gaveUp = () => {
        waiting.splice(waiting.indexOf(admitted), 1);
        reject(signal.reason);
      };
      waiting.push(admitted);
      signal.addEventListener("abort", gaveUp, { once: true });
    });
  }

  return {
    async enter(signal) {
      signal.throwIfAborted();
      if (waiting.length === 0 && inside < Math.floor(allowed)) {
        inside++;
        return place();
      }
      if (waiting.length >= waitingMost)
        throw new UnavailableError("Too many requests are waiting for the same node.");
      return waitForPlace(signal);
    },
    allowed: () => Math.floor(allowed),
  };
}
