import type { WireRequest } from "./json-rpc.ts";
import { RpcFailure } from "./rpc-failure.ts";

/** How long one exchange may take, and how long its answer may be. */
export type ExchangeLimits = { timeoutMs: number; bodyMostBytes: number };

/** A way to a node: HTTP or a WebSocket. It throws `RpcFailure`, or the reason of the signal. */
export type Transport = {
  /** Sends one request, or several as a batch; returns what came back, parsed but not yet believed. */
  exchange(
    requests: readonly WireRequest[],
    limits: ExchangeLimits,
    signal: AbortSignal,
  ): Promise<{ body: unknown; bytes: number }>;
  /** Hears the hashes of new heads until the connection ends or the signal aborts. Sockets only. */
  followHeads?: (heard: (hash: unknown) => void, signal: AbortSignal) => Promise<void>;
  /** Ends the connection, if one is kept; the next exchange opens another. */
  close(): void;
};

/** The text of one request, or of a batch. */
export function encode(requests: readonly WireRequest[]): string {
  return JSON.stringify(requests.length === 1 ? requests[0] : requests);
}

/** The answer is more than we want to hold. Less may have been asked for. */
export function tooLong(mostBytes: number): RpcFailure {
  return new RpcFailure("wide", `the answer is longer than ${mostBytes} bytes`);
}

/** Runs `work` with a signal that also aborts when the time is over; then the failure is "slow". */
export async function within<Result>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const inner = new AbortController();
  const abort = () => inner.abort(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(
    () => inner.abort(new RpcFailure("slow", `no answer within ${ms} ms`)),
    ms,
  );
  try {
    return await work(inner.signal);
  } catch (error) {
    throw inner.signal.aborted ? inner.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** Waits for something that cannot be stopped, but no longer than until the signal aborts. */
export function untilAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
