import type { Told } from "../../accounts/told.ts";
import type { Transaction } from "../../database/database.ts";
import { assert } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import type { Random } from "../../lib/random.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { insertEvent, type NewEvent } from "../store/events.ts";
import { eventTypes, testEvent, waysToAskFor } from "./event-types.ts";

/** Something that customers get to hear. */
export type News = {
  /** Whom it is about. Its master hears it too. */
  userId: string;
  type: string;
  transactionId: string | null;
  /** What GET answers for it at this moment, its keys in the same order. */
  object: unknown;
  /** Unix milliseconds. */
  at: number;
};

/**
 * Tells the account and its master, at the very end of the transaction in which it happens: others who tell something
 * to the same account wait from then on. That end is outside the wall, since it writes the master's list too.
 */
export async function tell(
  tx: Transaction,
  context: { random: Random },
  news: News,
): Promise<void> {
  assert(eventTypes.includes(news.type), `${news.type} is a type of event that is documented`);
  tx.last(insertEvent(eventOf(context, news, null)));
}

/** How accounts tell what is about an account rather than about a transaction. */
export function tellAboutAccounts(random: Random): Told {
  return (tx, news) => tell(tx, { random }, { ...news, transactionId: null });
}

/** Sends an event to one webhook only, to see whether it arrives. */
export async function tellTest(
  tx: Transaction,
  context: { random: Random },
  test: { userId: string; webhookId: string; object: unknown; at: number },
): Promise<string> {
  const news = { ...test, type: testEvent, transactionId: null };
  const event = eventOf(context, news, test.webhookId);
  await tx.query(insertEvent(event));
  return event.id;
}

function eventOf(
  { random }: { random: Random },
  { userId, type, transactionId, object, at }: News,
  onlyTo: string | null,
): NewEvent {
  const id = newId("evt", random);
  const time = new Date(at);
  const rest = { type, createdAt: timestamp(time), userId, data: { object } };
  return {
    id,
    type,
    askedAs: waysToAskFor(type),
    aboutUserId: userId,
    transactionId,
    head: `{"id":"${id}","sequence":`,
    tail: `,${JSON.stringify(rest).slice(1)}`,
    at: time,
    deliveryId: newId("del", random),
    onlyTo,
  };
}
