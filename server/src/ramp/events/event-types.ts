import { transactionEvents } from "../step.ts";

/** What `POST …/webhooks/{id}/test` sends. */
export const testEvent = "webhook.test";

/** Everything that customers get to hear of. */
export const eventTypes: readonly string[] = [
  ...transactionEvents.map((event) => `ramp.transaction.${event}`),
  "ramp.wallet.created",
  "ramp.wallet.deleted",
  "ramp.bank_account.created",
  "ramp.bank_account.corrected",
  "ramp.bank_account.stopped",
  "ramp.bank_account.deleted",
  "ramp.subaccount.created",
  "account.verification.updated",
  testEvent,
];

/** The ways to ask for a type: itself, or a beginning of it that ends in `*`. */
export function waysToAskFor(type: string): string[] {
  const words = type.split(".");
  const beginnings = words.map((_, count) => [...words.slice(0, count), "*"].join("."));
  return [...beginnings, type];
}

/** The types that somebody asks for; all of them when nothing in particular is asked for. */
export function typesAskedFor(asked: readonly string[]): string[] {
  return eventTypes.filter(
    (type) => asked.length === 0 || waysToAskFor(type).some((way) => asked.includes(way)),
  );
}

/** A pattern for every way to ask for a type. */
export const askedTypeForm = `^(${[...new Set(eventTypes.flatMap(waysToAskFor))]
  .map((way) => way.replace(/[.*]/g, "\\$&"))
  .join("|")})$`;

export const askedTypeRule =
  "must be an event type such as ramp.transaction.completed, or the beginning of some such as ramp.transaction.*";
