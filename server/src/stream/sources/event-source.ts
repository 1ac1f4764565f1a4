import { behindWall } from "../../accounts/wall.ts";
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { typesAskedFor } from "../../ramp/events/event-types.ts";
import { type EventPage, listEvents } from "../../ramp/store/events.ts";
import { Saying } from "../message.ts";
import type { DurableSource, Gap, Page } from "../source.ts";
import { followTail } from "../tail.ts";
import type { EventWatch } from "./event-watch.ts";
import { replayedMost } from "./trade-source.ts";

/** What sources about the ramp need. */
export type EventSourceContext = { db: Database; events: EventWatch; clock: Clock; log: Log };

/** What happens to an account's transactions, or to one of them. */
export type EventsName = { userId: string; transactionId: string | undefined };

const pageMost = 100;
const types = typesAskedFor(["ramp.transaction.*"]);
const positionForm = /^\d{1,15}$/;

/** The events about an account's transactions: what webhooks tell, in the same order. */
export function openEventSource(name: EventsName, context: EventSourceContext): DurableSource {
  const { db, events, clock, log } = context;
  const { userId, transactionId } = name;
  const path = `/v2/ramp/events?type=ramp.transaction.*&limit=1000`;

  const list = (after: number, limit: number): Promise<EventPage> =>
    behindWall(db, userId, (tx) =>
      listEvents(tx, { userId, after, limit, types, transactionId: transactionId ?? null }),
    );

  async function begin(): Promise<string> {
    const { newest } = await list(Number.MAX_SAFE_INTEGER, 1);
    return String(newest);
  }

  async function read(after: string): Promise<Page> {
    const page = await list(Number(after), pageMost);
    const sayings = page.events.map(({ sequence, payload }) => ({
      saying: new Saying("event", `"event":${payload}`),
      position: String(sequence),
    }));
    if (sayings.length === pageMost) return { sayings, isEnd: false };
    // Events of other kinds move on too.
    return { sayings, isEnd: true, end: String(Math.max(page.newest, Number(after))) };
  }

  async function missedSince(position: string): Promise<{ gaps: Gap[]; position: string }> {
    const { newest } = await list(Number.MAX_SAFE_INTEGER, 1);
    const cut = newest - replayedMost;
    if (Number(position) >= cut) return { gaps: [], position };
    const reason = `More than ${replayedMost} events were missed; only the newest of them follow.`;
    return { gaps: [{ reason, refetch: `${path}&after=${position}` }], position: String(cut) };
  }

  const tail = followTail({ begin, read, clock, log });
  const stopListening = events.listen(userId, () => void tail.advance().catch(() => {}));

  return {
    ...tail,
    kind: "durable",
    read,
    accepts: (position) => positionForm.test(position),
    missedSince,
    isBeyond: (position) => Number(position) > Number(tail.head()),
    lost: () => ({ reason: "These events are not known here.", refetch: `${path}&after=0` }),
    close() {
      stopListening();
      tail.close();
    },
  };
}
