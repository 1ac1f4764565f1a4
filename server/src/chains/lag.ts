import { headerRequest, readHeader } from "./header.ts";
import { resultOf } from "./json-rpc.ts";
import type { NodeLimits } from "./limits.ts";
import type { Pool } from "./pool.ts";

/** Asks every endpoint for its head. Those far behind come last, so that nobody follows one that stands still. */
export async function compareHeads(
  pool: Pool,
  { behindMostSeconds, compareMs }: NodeLimits,
  signal: AbortSignal,
): Promise<void> {
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
    // Until after the next comparison, which asks it again.
    endpoint.standing.distrust(`its head is ${behindSeconds} seconds behind`, 2 * compareMs);
  }
}
