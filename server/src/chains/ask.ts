import type { Endpoint } from "./endpoint.ts";
import type { RpcReply, RpcRequest } from "./json-rpc.ts";
import type { Pool, RunOptions } from "./pool.ts";
import { RpcFailure } from "./rpc-failure.ts";

/**
 * Asks many questions in batches, each until some endpoint gives a reply that `read` accepts. What is answered is not
 * asked again when another question of its batch has to be.
 */
export async function askEach<Result>(
  pool: Pool,
  requests: readonly RpcRequest[],
  read: (reply: RpcReply, index: number) => Result,
  options: RunOptions & { batchesAtOnce: number },
): Promise<Result[]> {
  const results = new Map<number, Result>();
  let next = 0;

  /** Asks for some of what is left, as much as the endpoint takes at once. Returns what is left then. */
  async function askSome(endpoint: Endpoint, left: readonly number[]): Promise<number[]> {
    const some = left.slice(0, endpoint.batch.most());
    const questions = some.flatMap((index) => requests[index] ?? []);
    const { replies } = await endpoint.ask(questions, options.signal);
    const failures = new Map<number, RpcFailure>();
    replies.forEach((reply, at) => {
      const index = some[at] ?? -1;
      const outcome = attempt(() => read(reply, index));
      if ("failure" in outcome) failures.set(index, outcome.failure);
      else results.set(index, outcome.result);
    });
    const [first] = failures.values();
    // Providers that count what is in a batch refuse the rest of it: a smaller one has a chance.
    if (some.length > 1 && first?.kind === "limited") endpoint.batch.shrink(some.length);
    if (first && failures.size === some.length) throw first;
    return left.filter((index) => !results.has(index));
  }

  async function askPart(part: readonly number[]): Promise<void> {
    let left = part;
    while (left.length > 0) {
      const asked = left;
      left = await pool.run((endpoint) => askSome(endpoint, asked), options);
    }
  }

  async function lane(): Promise<void> {
    while (next < requests.length) {
      const from = next;
      next = Math.min(requests.length, from + pool.preferred().batch.most());
      try {
        await askPart(Array.from({ length: next - from }, (_, at) => from + at));
      } catch (error) {
        // The answer cannot be complete any more: the other lanes need not go on.
        next = requests.length;
        throw error;
      }
    }
  }

  await Promise.all(Array.from({ length: options.batchesAtOnce }, lane));
  return requests.map((_, index) => results.get(index) as Result);
}

function attempt<Result>(work: () => Result): { result: Result } | { failure: RpcFailure } {
  try {
    return { result: work() };
  } catch (error) {
    if (error instanceof RpcFailure) return { failure: error };
    throw error;
  }
}
