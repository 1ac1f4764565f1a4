import fc from "fast-check";
import { asCents } from "../src/lib/money.ts";
import { wireText } from "../src/ramp/rails/iso20022/text.ts";
import type {
  BankLine,
  BankNotification,
  BankStatement,
  WireFile,
  WireParty,
  WireStatus,
  WireStatusReport,
} from "../src/ramp/rails/iso20022/wire-file.ts";

/** Any text at all, with halves of characters. */
export const strangeTexts = fc
  .array(fc.oneof(fc.nat(0x17f), fc.nat(0xffff)))
  .map((codes) => String.fromCharCode(...codes));

/** What people write, and what machines make of it. */
const anyText = fc.oneof(
  strangeTexts,
  fc.string(),
  fc.constantFrom('Ja&ne <Dœ> "Sons"', "Łukasz Ångström-O’Neill", "]]>&amp;", "李明", " a  b "),
);

/** A text that a wire can carry. */
const wireTexts = anyText
  .map((text) => wireText(text, 140))
  .filter((text) => text !== "" && text !== "NOTPROVIDED");

const ids = fc.stringMatching(/^[0-9A-Za-z](?:[0-9A-Za-z.-]{0,33}[0-9A-Za-z])?$/);

const cents = fc.bigInt({ min: 1n, max: 999_999_999_999n }).map(asCents);

const times = fc.integer({ min: Date.UTC(2001, 0), max: Date.UTC(2198, 0) });
const timestamps = times.map((at) => new Date(at).toISOString());

/** Routing numbers, each with its check digit. */
const routingNumbers = fc
  .stringMatching(/^(?:0[1-9]|1[0-2]|2[1-9]|3[0-2])[0-9]{6}$/)
  .map((digits) => {
    const sum = [3, 7, 1, 3, 7, 1, 3, 7].reduce(
      (total, weight, index) => total + weight * Number(digits[index]),
      0,
    );
    return `${digits}${(10 - (sum % 10)) % 10}`;
  });

const accountNumbers = fc.stringMatching(/^[0-9A-Za-z]{1,34}$/);

const parties: fc.Arbitrary<WireParty> = fc.record({
  name: wireTexts,
  routingNumber: routingNumbers,
  accountNumber: accountNumbers,
});

/** Files of wires such as we send. */
export const wireFiles: fc.Arbitrary<WireFile> = fc.record({
  messageId: ids,
  createdAt: timestamps,
  executionOn: timestamps.map((time) => time.slice(0, 10)),
  debtor: parties,
  orders: fc.uniqueArray(
    fc.record({
      endToEndId: ids,
      cents,
      creditor: parties,
      remittance: fc.oneof(fc.constant(""), wireTexts),
    }),
    { selector: ({ endToEndId }) => endToEndId, minLength: 1, maxLength: 5 },
  ),
});

const verdicts = fc.constantFrom<Pick<WireStatus, "outcome" | "code">>(
  { outcome: "settled", code: "ACSC" },
  { outcome: "settled", code: "ACCC" },
  { outcome: "pending", code: "ACSP" },
  { outcome: "rejected", code: "RJCT" },
);

const reasons = fc.oneof(
  fc.constantFrom(null, "AC04", "no code"),
  wireTexts.map((text) => wireText(`AC01 ${text}`, 100)),
);

const networkReferences = fc.constantFrom(null, "20261116MMQFMPA1000042", "IMAD 42");

/** Reports such as banks answer with. */
export const statusReports: fc.Arbitrary<WireStatusReport> = fc
  .record({
    messageId: ids,
    originalMessageId: ids,
    createdAt: timestamps,
    group: fc.option(fc.record({ verdict: verdicts, reason: reasons }), { nil: undefined }),
    statuses: fc.array(
      fc.record({
        endToEndId: ids,
        verdict: verdicts,
        reason: reasons,
        networkReference: networkReferences,
      }),
      { maxLength: 5 },
    ),
  })
  .filter(({ group, statuses }) => group !== undefined || statuses.length > 0)
  .map(({ group, statuses, ...report }) => ({
    ...report,
    ...(group && { group: { ...group.verdict, reason: group.reason } }),
    statuses: statuses.map(({ verdict, ...status }) => ({ ...status, ...verdict })),
  }));

/** Whom a bank names, of whom it may not know all. */
const counterparties = fc
  .record({
    name: fc.oneof(fc.constant(""), wireTexts),
    routingNumber: fc.oneof(fc.constant(""), routingNumbers),
    accountNumber: fc.oneof(fc.constant(""), accountNumbers),
  })
  .map((party) => (Object.values(party).some(Boolean) ? party : null));

const lines: fc.Arbitrary<readonly BankLine[]> = fc
  .uniqueArray(
    fc.record({
      reference: ids,
      direction: fc.constantFrom<BankLine["direction"]>("credit", "debit"),
      cents,
      isReversal: fc.boolean(),
      bookedAt: times,
      endToEndId: fc.option(ids),
      counterparty: counterparties,
      returnReason: fc.constantFrom(null, null, "AC04"),
      texts: fc.uniqueArray(wireTexts, { maxLength: 3 }),
    }),
    { selector: ({ reference }) => reference, maxLength: 5 },
  )
  .map((given) => given.map(withIdAsText));

/** An id may be what the sender wrote, so it is the first of the texts. */
function withIdAsText(line: BankLine): BankLine {
  const { endToEndId, texts } = line;
  return endToEndId === null ? line : { ...line, texts: [...new Set([endToEndId, ...texts])] };
}

/** Notifications such as banks send. */
export const notifications: fc.Arbitrary<BankNotification> = fc
  .record({
    messageId: ids,
    createdAt: timestamps,
    accountNumber: fc.option(accountNumbers, { nil: undefined }),
    lines,
  })
  .map(({ accountNumber, ...rest }) => ({
    ...rest,
    ...(accountNumber !== undefined && { accountNumber }),
  }));

/** Statements such as banks send, whose lines lead from one balance to the other. */
export const statements: fc.Arbitrary<BankStatement> = fc
  .record({
    id: ids,
    createdAt: timestamps,
    accountNumber: accountNumbers,
    period: fc.tuple(times, times).map((period) => [...period].sort((one, other) => one - other)),
    openingCents: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
    lines,
  })
  .map(({ period: [from = 0, to = 0], ...statement }) => ({
    ...statement,
    ...{ from, to },
    closingCents: statement.lines.reduce(
      (balance, { direction, cents }) => balance + (direction === "credit" ? cents : -cents),
      statement.openingCents,
    ),
  }));
