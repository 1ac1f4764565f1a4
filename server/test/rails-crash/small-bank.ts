import { hash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { newYorkDay, newYorkTime } from "../../src/lib/calendar.ts";
import { asCents } from "../../src/lib/money.ts";
import type { BankProfile } from "../../src/ramp/rails/bank/bank-profile.ts";
import { readCamt054, writeCamt054 } from "../../src/ramp/rails/iso20022/camt054.ts";
import { writePacs002 } from "../../src/ramp/rails/iso20022/pacs002.ts";
import { readPain001 } from "../../src/ramp/rails/iso20022/pain001.ts";
import { readAchFile } from "../../src/ramp/rails/nacha/read-file.ts";
import { readAchReturns } from "../../src/ramp/rails/nacha/read-returns.ts";
import { writeAchReturns } from "../../src/ramp/rails/nacha/write-returns.ts";

/** What the bank calls us, and when our files leave. */
export const profile: BankProfile = {
  ...{ routingNumber: "091000019", bankName: "SMALL BANK", accountNumber: "4400112233" },
  ...{ companyName: "SLIPWAY", companyId: "1234567890", cutOffs: ["17:00"] },
  ...{ approvals: 0, approvalsAboveCents: asCents(0n) },
};

/** What is sent to it comes back: there is no such account. */
export const unknownAccount = "550000003";

/** A payment that one of our files orders. */
type OrderedPayment = {
  file: string;
  payoutId: string;
  /** By which answers name it. */
  trace: string;
  cents: bigint;
  accountNumber: string;
  /** When an ACH payment settles. */
  settlesOn: string | undefined;
};

/** A bank that shares a folder with us. All it knows is in that folder, so it goes on whoever else dies. */
export type SmallBank = {
  /** When there is something to do for it, or for us about what it left. */
  dueAt(now: number): number | undefined;
  /** Answers files, and sends back what cannot be paid. */
  act(now: number): void;
  /** Tells once that a wire came in. */
  receiveWire(wire: { reference: string; cents: bigint; text: string }, now: number): void;
  /** Everything that our files order, each as often as it is in them. */
  payments(): OrderedPayment[];
  /** What our account has changed by since the beginning. */
  change(): bigint;
};

export function openSmallBank(folder: string): SmallBank {
  const outbox = join(folder, "outbox");
  const inbox = join(folder, "inbox");
  const taken = join(folder, "taken");
  for (const place of [outbox, inbox, taken]) mkdirSync(place, { recursive: true });
  // Files never change once they are there.
  const read = new Map<string, OrderedPayment[]>();
  const brought = new Map<string, bigint>();
  const left = new Set<string>();

  function isLeft(name: string): boolean {
    if (left.has(name)) return true;
    const isThere = existsSync(join(inbox, name)) || existsSync(join(taken, name));
    if (isThere) left.add(name);
    return isThere;
  }

  function leave(name: string, bytes: Buffer): void {
    if (isLeft(name)) return;
    const draft = join(folder, `.${name}`);
    writeFileSync(draft, bytes);
    renameSync(draft, join(inbox, name));
  }

  function paymentsIn(name: string): OrderedPayment[] {
    const known = read.get(name);
    if (known) return known;
    const payments = readPayments(name, readFileSync(join(outbox, name)));
    read.set(name, payments);
    return payments;
  }

  function broughtBy(place: string, name: string): bigint {
    const known = brought.get(name);
    if (known !== undefined) return known;
    const cents = readBrought(name, readFileSync(join(place, name)));
    brought.set(name, cents);
    return cents;
  }

  /** What comes back of a file, and when: in the morning after its payments settled. */
  function comingBack(name: string): { at: number; payments: OrderedPayment[] } | undefined {
    const payments = paymentsIn(name).filter(
      ({ accountNumber, settlesOn }) => accountNumber === unknownAccount && settlesOn,
    );
    const [first] = payments;
    return first?.settlesOn ? { at: newYorkTime(first.settlesOn, 9), payments } : undefined;
  }

  return {
    dueAt(now) {
      if (readdirSync(inbox).length > 0) return now;
      const times = readdirSync(outbox).flatMap((name) => {
        const back = comingBack(name);
        return [
          ...(isLeft(answerTo(name)) ? [] : [now]),
          ...(back && !isLeft(returnsOf(name)) ? [back.at] : []),
        ];
      });
      return times.length > 0 ? Math.min(...times) : undefined;
    },
    act(now) {
      for (const name of readdirSync(outbox)) {
        if (!isLeft(answerTo(name)))
          leave(answerTo(name), answer(name, readFileSync(join(outbox, name)), now));
        const back = comingBack(name);
        if (back && back.at <= now && !isLeft(returnsOf(name)))
          leave(returnsOf(name), sendBack(back.payments, now));
      }
    },
    receiveWire(wire, now) {
      const name = `${wire.reference}.camt054`;
      if (!isLeft(name)) leave(name, notificationOf(wire, now));
    },
    payments: () => readdirSync(outbox).flatMap(paymentsIn),
    change() {
      const out = readdirSync(outbox).flatMap(paymentsIn);
      const back = [inbox, taken].flatMap((place) =>
        readdirSync(place).map((name) => broughtBy(place, name)),
      );
      return sum(back) - sum(out.map(({ cents }) => cents));
    },
  };
}

const isWires = (name: string) => name.endsWith(".xml");
const answerTo = (name: string) => (isWires(name) ? `${name}.pacs002` : `${name}.ack`);
const returnsOf = (name: string) => `${name}.returns`;

function readPayments(file: string, bytes: Buffer): OrderedPayment[] {
  if (isWires(file)) {
    return readPain001(bytes).orders.map(({ endToEndId, cents, creditor }) => ({
      ...{ file, payoutId: endToEndId, trace: endToEndId, cents },
      ...{ accountNumber: creditor.accountNumber, settlesOn: undefined },
    }));
  }
  return readAchFile(bytes).batches.flatMap(({ entries, effectiveOn }) =>
    entries.map(({ identification, trace, cents, accountNumber }) => ({
      ...{ file, payoutId: `pay-${identification}`, trace, cents, accountNumber },
      settlesOn: effectiveOn,
    })),
  );
}

/** What a file of the bank's says that came to our account. */
function readBrought(name: string, bytes: Buffer): bigint {
  if (name.endsWith(".camt054")) return sum(readCamt054(bytes).lines.map(({ cents }) => cents));
  if (name.endsWith(".returns"))
    return sum(readAchReturns(bytes).returns.map(({ cents }) => cents));
  return 0n;
}

function answer(name: string, bytes: Buffer, now: number): Buffer {
  if (!isWires(name)) return acknowledge(name, bytes);
  const { messageId, orders } = readPain001(bytes);
  return writePacs002({
    messageId: `ANSWER-${messageId}`,
    originalMessageId: messageId,
    createdAt: new Date(now).toISOString(),
    statuses: orders.map(({ endToEndId }) => ({
      ...{ endToEndId, outcome: "settled", code: "ACSC", reason: null },
      networkReference: `IMAD ${endToEndId}`,
    })),
  });
}

function acknowledge(file: string, bytes: Buffer): Buffer {
  const payments = readPayments(file, bytes);
  const said = {
    ...{ file, sha256: hash("sha256", bytes), status: "accepted", entries: payments.length },
    cents: sum(payments.map(({ cents }) => cents)),
  };
  const lines = Object.entries(said).map(([key, value]) => `${key}: ${value}`);
  return Buffer.from(`${lines.join("\n")}\n`);
}

function sendBack(payments: readonly OrderedPayment[], now: number): Buffer {
  const today = newYorkDay(now);
  return writeAchReturns({
    origin: { routingNumber: profile.routingNumber, name: profile.bankName },
    destination: { id: profile.companyId, name: profile.companyName },
    ...{ createdOn: today, createdAt: "09:00", modifier: "A", settledOn: today, corrections: [] },
    returns: payments.map(({ trace, cents }, index) => ({
      ...{ code: "R03", originalTrace: trace, cents: asCents(cents), information: "" },
      trace: `02100002${String(index + 1).padStart(7, "0")}`,
    })),
  });
}

function notificationOf(
  { reference, cents, text }: { reference: string; cents: bigint; text: string },
  now: number,
): Buffer {
  const party = { name: "ADA LOVELACE", routingNumber: "021000021", accountNumber: "123456789" };
  return writeCamt054({
    messageId: `NOTE-${reference}`,
    createdAt: new Date(now).toISOString(),
    lines: [
      {
        ...{ reference, direction: "credit", cents: asCents(cents), isReversal: false },
        ...{ bookedAt: now, endToEndId: null, counterparty: party, returnReason: null },
        texts: [text],
      },
    ],
  });
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
