import { type Static, type TProperties, type TSchema, Type } from "typebox";
import { bodyCheck } from "../../../http/check.ts";
import { CallerError } from "../../../lib/errors.ts";
import { isObject } from "../../../lib/is-object.ts";
import { asCents, type Cents, parseDecimal } from "../../../lib/money.ts";
import type { BankRail } from "../store/bank-entries.ts";
import type { BankContext } from "./bank-profile.ts";
import { type EntryNews, findNamedEntry, hearOfEntry } from "./entry-news.ts";
import { problem, type Reading } from "./reading.ts";
import { tellWire } from "./take-notifications.ts";

/** One line without what cannot be shown, as the bank's own names for things are. */
const line = (longest: number) =>
  Type.String({
    pattern: `^[^\\x00-\\x1f\\x7f]{1,${longest}}$`,
    description: `must be one line of text with at most ${longest} characters`,
  });

const amountRule = 'must be dollars and cents in quotes, such as "100.00"';
const timeRule = "must be a time with its zone, such as 2026-11-16T17:00:00Z";

const ReceivedWire = Type.Object({
  reference: line(100),
  amountUsd: Type.Refine(
    Type.String({ description: amountRule }),
    (text) => centsOf(text) > 0n,
    () => amountRule,
  ),
  senderName: line(140),
  senderAccount: line(40),
  senderRoutingNumber: Type.Optional(
    Type.String({ pattern: "^\\d{9}$", description: "must have 9 digits" }),
  ),
  texts: Type.Array(
    Type.String({ maxLength: 500, description: "must be text with at most 500 characters" }),
    { maxItems: 50, description: "must be a list of at most 50 texts" },
  ),
  receivedAt: Type.Refine(
    Type.String({
      pattern: "^\\d{4}-\\d\\d-\\d\\dT[\\d:.]{5,12}(Z|[+-]\\d\\d:\\d\\d)$",
      description: timeRule,
    }),
    (text) => !Number.isNaN(Date.parse(text)),
    () => timeRule,
  ),
});

/** What tells of a payment of ours names it by our id of it, or by its trace. */
function aboutPayment<Properties extends TProperties>(properties: Properties) {
  const PayoutId = Type.String({
    pattern: "^pay-\\d{1,20}$",
    description: "must be a payout's id",
  });
  const schema = Type.Object({
    payoutId: Type.Optional(PayoutId),
    trace: Type.Optional(line(35)),
    ...properties,
  });
  return Type.Refine(
    schema,
    (data: object) => "payoutId" in data || "trace" in data,
    () => "must name the payment by payoutId or trace",
  );
}

const code = Type.String({
  pattern: "^[A-Z0-9]{1,35}$",
  description: "must be a return code such as R03 or AC04",
});

type Taking = { cents: Cents; take: Reading["take"] };

/** Reads the body of a webhook, `{"type": "wire.received", "data": {…}}`, or names all that is wrong with it. */
export function messageReader(context: BankContext): (body: string) => Reading {
  const hear = (rail: BankRail, named: { payoutId?: string; trace?: string }, news: EntryNews) =>
    paymentNews(context, rail, named.payoutId ?? named.trace ?? "", news);
  const returned = (rail: BankRail) =>
    reader(aboutPayment({ code }), (data) =>
      hear(rail, data, { outcome: "returned", code: data.code }),
    );
  const readers = new Map<unknown, (message: object) => Taking>([
    ["wire.received", reader(ReceivedWire, (data) => wireReceived(context, data))],
    [
      "wire.settled",
      reader(aboutPayment({ networkReference: Type.Optional(line(35)) }), (data) =>
        hear("wire", data, { outcome: "settled", networkReference: data.networkReference ?? null }),
      ),
    ],
    [
      "wire.rejected",
      reader(aboutPayment({ reason: line(200) }), (data) =>
        hear("wire", data, { outcome: "failed", why: data.reason }),
      ),
    ],
    ["wire.returned", returned("wire")],
    ["ach.returned", returned("ach")],
  ]);
  return (body) => {
    const message = parse(body);
    const read = readers.get(message.type);
    if (read) return { format: "webhook", entries: 1, ...read(message) };
    throw new CallerError("bad_request", `type must be one of ${[...readers.keys()].join(", ")}`);
  };
}

/** Reads what one type of message carries, after it has been checked. */
function reader<Schema extends TSchema>(
  data: Schema,
  read: (data: Static<Schema>) => Taking,
): (message: object) => Taking {
  const check = bodyCheck(Type.Object({ data }));
  return (message) => read((check(message) as { data: Static<Schema> }).data);
}

function parse(body: string): Record<string, unknown> {
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    throw new CallerError("bad_request", "The request body is not valid JSON.");
  }
  if (isObject(message)) return message;
  throw new CallerError("bad_request", "The request body must be a JSON object.");
}

function wireReceived(context: BankContext, data: Static<typeof ReceivedWire>): Taking {
  const { reference, senderName: name, senderAccount: accountNumber, texts } = data;
  const cents = centsOf(data.amountUsd);
  const routingNumber = data.senderRoutingNumber ?? "";
  const sender = { name, routingNumber, accountNumber };
  const wire = { reference, cents, texts, sender, receivedAt: Date.parse(data.receivedAt) };
  return { cents, take: (tx) => tellWire(tx, context, wire) };
}

function paymentNews(context: BankContext, rail: BankRail, name: string, news: EntryNews): Taking {
  return {
    cents: asCents(0n),
    async take(tx) {
      const entry = await findNamedEntry(tx, name);
      if (entry?.rail !== rail) return problem(`${name} is no payment of ours by ${rail}`);
      return hearOfEntry(tx, context, entry.trace, news);
    },
  };
}

/** No cents when it is no plain amount. */
function centsOf(text: string): Cents {
  return asCents(parseDecimal(text, 2) ?? 0n);
}
