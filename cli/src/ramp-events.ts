import { type RampEvent, type RampEvents, SlipwayError, UnreachableError } from "@slipway/sdk";
import type { Service } from "./asked-service.ts";
import type { Terminal } from "./terminal.ts";

const askEveryMs = 1_000;
const pageLimit = 100;
/** No event has a greater number, so that nothing but the newest number comes back. */
const afterAll = Number.MAX_SAFE_INTEGER;

/** Every event of the account after the one with this number, or from now on: in order, each once, as it happens. */
export async function* rampEvents(
  service: Service,
  since: number | undefined,
  terminal: Terminal,
  signal: AbortSignal,
): AsyncGenerator<RampEvent, void> {
  const nextPage = pageReader(service, terminal, signal);
  let after =
    since ?? (await service.client.ramp.events({ after: afterAll, limit: 1 })).lastSequence;
  while (!signal.aborted) {
    const events = await nextPage(after);
    if (events.length === 0) await terminal.clock.sleep(askEveryMs, signal);
    for (const event of events) {
      if (signal.aborted) return;
      yield event;
      after = event.sequence;
    }
  }
}

/** Reads pages; one that cannot be had now is empty, and that is said once. */
function pageReader({ client, url }: Service, { errors }: Terminal, signal: AbortSignal) {
  let isAway = false;
  return async (after: number): Promise<RampEvent[]> => {
    const asked = client.ramp.events({ after, limit: pageLimit, retries: 0, signal });
    const page = await asked.catch((error: unknown): RampEvents | undefined => {
      if (!signal.aborted && !isPassing(error)) throw error;
      return undefined;
    });
    if (!page !== isAway && !signal.aborted) {
      isAway = !page;
      errors.write(isAway ? `${url} does not answer. Trying again.\n` : `${url} answers again.\n`);
    }
    return page?.events ?? [];
  };
}

/** Whether it makes sense to ask again. */
function isPassing(error: unknown): boolean {
  if (error instanceof UnreachableError) return true;
  return error instanceof SlipwayError && (error.status === 429 || error.status >= 500);
}
