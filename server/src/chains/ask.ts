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

  async function askPart(part: readonly number[]): Promise<void> {
    let left = part;
    const ask = async (endpoint: Pool["endpoints"][number]) => {
      const { replies } = await endpoint.ask(questionsOf(left, requests), options.signal);
      const failures = new Map<number, RpcFailure>();
      replies.forEach((reply, at) => {
        const index = left[at] ?? -1;
        const outcome = attempt(() => read(reply, index));
        if ("failure" in outcome) failures.set(index, outcome.failure);
        else results.set(index, outcome.result);
      });
      const [first] = failures.values();
      if (!first) return;
      // Providers that count what is in a batch refuse the rest of it: a smaller one has a chance.
      if (left.length > 1 && first.kind === "limited") endpoint.shrinkBatches(left.length);
      left = [...failures.keys()];
      throw first;
    };
    await pool.run(ask, options);
  }

  async function lane(): Promise<void> {
    while (next < requests.length) {
      const from = next;
      next = Math.min(requests.length, from + pool.preferred().batchMost());
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

const questionsOf = (indexes: readonly number[], requests: readonly RpcRequest[]) =>
  indexes.flatMap((index) => requests[index] ?? []);

function attempt<Result>(work: () => Result): { result: Result } | { failure: RpcFailure } {
  try {
    return { result: work() };
  } catch (error) {
    if (error instanceof RpcFailure) return { failure: error };
    throw error;
  }
}
