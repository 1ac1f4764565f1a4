import { headerRequest, readHeader } from "./header.ts";
import { resultOf } from "./json-rpc.ts";
import type { Pool } from "./pool.ts";
import { RpcFailure } from "./rpc-failure.ts";

/** Asks every endpoint for its head; those that are far behind the newest rest, so that nobody follows a dead one. */
export async function compareHeads(
  pool: Pool,
  behindMostSeconds: number,
  signal: AbortSignal,
): Promise<void> {
  if (pool.endpoints.length < 2) return;
  const asked = await Promise.allSettled(
    pool.endpoints.map((endpoint) =>
      pool.runOn(
        endpoint,
        async () => {
          const { replies } = await endpoint.ask([headerRequest("latest")], signal);
          const header = readHeader(replies[0] && resultOf(replies[0]), "latest");
          endpoint.learnt.head = Math.max(endpoint.learnt.head, header.number);
          return { endpoint, header };
        },
        { signal },
      ),
    ),
  );
  const heads = asked.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value : []));
  const newest = Math.max(...heads.map(({ header }) => header.time));
  for (const { endpoint, header } of heads) {
    const behindSeconds = newest - header.time;
    if (behindSeconds <= behindMostSeconds) continue;
    const failure = new RpcFailure("wrong", `its head is ${behindSeconds} seconds old`);
    endpoint.standing.failed(failure, endpoint.standing.turn());
  }
}
