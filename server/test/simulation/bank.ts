import { bankCalendar, newYorkTime } from "../../src/lib/calendar.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { assert } from "../../src/lib/errors.ts";
import { asCents, type Cents } from "../../src/lib/money.ts";
import { achSettlement } from "../../src/ramp/rails/bank/file-times.ts";
import type { FileExchange } from "../../src/ramp/rails/file-exchange.ts";
import { messageKindOf } from "../../src/ramp/rails/iso20022/message-kind.ts";
import { readPain001 } from "../../src/ramp/rails/iso20022/pain001.ts";
import type { WireOrder, WireParty, WireStatus } from "../../src/ramp/rails/iso20022/wire-file.ts";
import type { AchEntry } from "../../src/ramp/rails/nacha/ach-file.ts";
import { writeCorrectedData } from "../../src/ramp/rails/nacha/corrected-data.ts";
import { achKindOf } from "../../src/ramp/rails/nacha/file-kind.ts";
import { readAchFile } from "../../src/ramp/rails/nacha/read-file.ts";
import type { PayoutId } from "../../src/ramp/transaction.ts";
import { type BankAccount, openBankAccount } from "./bank-account.ts";
import { openBankLetters } from "./bank-letters.ts";
import type { Chance } from "./chance.ts";
import type { Faults } from "./faults.ts";
import type { Happenings } from "./happenings.ts";
import { type Mailbox, openMailbox, type Said } from "./mailbox.ts";
import { type Happening, planEntry, planWire } from "./payment-plan.ts";

/** A payment that was asked of the bank, and what has truly become of it. */
export type BankPayment = {
  id: PayoutId;
  rail: "ach" | "wire";
  cents: Cents;
  /** Our name for it: the trace of an entry, the end-to-end id of a wire. */
  trace: string;
  /** What answers call the file it came in. */
  file: string;
  to: WireParty;
  memo: string;
  state: "taken" | "settled" | "failed" | "returned";
  /** Whether there was the money for it. */
  isAffordable: boolean;
};

/** A wire that somebody sends us. What is not known of the sender is empty. */
type IncomingWire = { cents: Cents; sender: WireParty; texts: readonly string[] };

/** A bank that reads our files, pays what is in them, and tells by files of its own. */
export type Bank = {
  exchange: FileExchange;
  mailbox: Mailbox;
  account: BankAccount;
  payments: ReadonlyMap<PayoutId, BankPayment>;
  /** Who sent which wire, by the bank's reference. */
  senders: ReadonlyMap<string, WireParty>;
  sendWire(wire: IncomingWire): void;
};

type BankOutside = {
  clock: Clock;
  chance: Chance;
  faults: Faults;
  happenings: Happenings;
  narrate(line: string): void;
  protest(what: string): void;
};

const second = 1_000;
const hour = 3_600 * second;
const calendar = bankCalendar();

/** Opens a bank at which we have an account with nothing on it. */
export function openBank(outside: BankOutside): Bank {
  const { clock, chance, faults, happenings, protest } = outside;
  const mailbox = openMailbox(outside);
  const letters = openBankLetters(clock);
  const account = openBankAccount({ clock, happenings, mailbox, letters });
  const payments = new Map<PayoutId, BankPayment>();
  const senders = new Map<string, WireParty>();
  const received = new Map<string, Buffer>();
  /** What the next file of returns says. */
  let returned: { payment: BankPayment; code: string }[] = [];
  let corrected: BankPayment[] = [];
  let count = 0;

  function receive(name: string, bytes: Buffer): void {
    const known = received.get(name);
    if (known?.equals(bytes)) return;
    if (known) {
      protest(`${name} came again with other bytes`);
      throw new Error(`${name} is there with other bytes`);
    }
    if ([...received.values()].some((other) => other.equals(bytes)))
      protest(`${name} came before under another name`);
    received.set(name, bytes);
    outside.narrate(`bank gets ${name}`);
    if (achKindOf(bytes) === "payments") receiveEntries(name, bytes);
    else if (messageKindOf(bytes) === "pain.001") receiveWires(bytes);
    else protest(`${name} is nothing that a bank can pay`);
  }

  /** Notes what is asked for. What was asked for before would be paid a second time. */
  function take(asked: Omit<BankPayment, "state" | "isAffordable">): BankPayment {
    const { id, cents, trace } = asked;
    if (payments.has(id)) protest(`${id} is in two files`);
    if ([...payments.values()].some((one) => one.trace === trace))
      protest(`${trace} is the name of two payments`);
    const promised = [...payments.values()]
      .filter(({ state }) => state === "taken")
      .reduce((sum, one) => sum + one.cents, 0n);
    const isAffordable = account.balance() - promised >= cents;
    const payment: BankPayment = { ...asked, state: "taken", isAffordable };
    payments.set(id, payment);
    return payment;
  }

  const failed = (taken: readonly BankPayment[]): Said[] =>
    taken.map((payment) => {
      payment.state = "failed";
      return { kind: "failed", id: payment.id };
    });

  function receiveEntries(name: string, bytes: Buffer): void {
    const { batches } = readAchFile(bytes);
    const taken = batches.flatMap(({ entries, description }) =>
      entries.map((entry) => take({ ...askedBy(entry), file: name, memo: description })),
    );
    const file = { name, bytes, entries: taken.length, cents: sumOf(taken) };
    if (faults.strikes("file_rejected")) {
      const letter = letters.acknowledgement(file, "the company is unknown");
      mailbox.leave({ ...letter, said: failed(taken) });
      return;
    }
    if (chance.isTrue(0.8)) mailbox.leave({ ...letters.acknowledgement(file, null), said: [] });
    const now = clock.now();
    const days = batches.map(({ effectiveOn }) => newYorkTime(effectiveOn, 8, 30));
    const settlesMs = Math.max(achSettlement(calendar, now).at, ...days) - now;
    happenings.later(settlesMs, () => settleFile(name, taken));
    for (const payment of taken)
      for (const { afterMs, ...planned } of planEntry(chance, faults, settlesMs))
        happenings.later(afterMs, () => happenToEntry(payment, planned));
  }

  /** One line for the whole file. Nobody tells of it but the statement. */
  function settleFile(name: string, taken: readonly BankPayment[]): void {
    const settled = taken.filter(({ state }) => state === "taken");
    for (const payment of settled) payment.state = "settled";
    const cents = sumOf(settled);
    if (cents > 0n) account.book({ direction: "debit", cents, endToEndId: name }, []);
  }

  function happenToEntry(payment: BankPayment, what: Happening): void {
    if (what.kind === "corrected") corrected.push(payment);
    if (what.kind === "returned") {
      const { cents, trace: endToEndId } = payment;
      const back = { direction: "credit", cents, endToEndId, returnReason: what.code } as const;
      if (payment.state === "settled") account.book(back, []);
      payment.state = "returned";
      returned.push({ payment, code: what.code });
    }
    // What comes back within the same hours comes in one file.
    if (returned.length + corrected.length === 1)
      happenings.later(chance.between(0, 3 * hour), leaveReturns);
  }

  function leaveReturns(): void {
    const letter = letters.achReturns(
      returned.map(({ payment: { trace, cents }, code }) => ({
        ...{ code, originalTrace: trace, cents },
      })),
      corrected.map(({ trace, to }) => {
        // The last two digits say whose account it is.
        const accountNumber = `${chance.between(1_000_000, 9_999_999)}${to.accountNumber.slice(-2)}`;
        const correctedData = writeCorrectedData("C01", { accountNumber });
        return { code: "C01", originalTrace: trace, correctedData };
      }),
    );
    const said = returned.map(({ payment: { id } }) => ({ kind: "returned", id }) as const);
    returned = [];
    corrected = [];
    mailbox.leave({ ...letter, said });
  }

  function receiveWires(bytes: Buffer): void {
    const { messageId, orders } = readPain001(bytes);
    const taken = orders.map((order) => take({ ...orderedBy(order), file: messageId }));
    if (faults.strikes("file_rejected")) {
      const group = { outcome: "rejected", code: "RJCT", reason: "the file is too late" } as const;
      mailbox.leave({ ...letters.statuses(messageId, [], group), said: failed(taken) });
      return;
    }
    if (chance.isTrue(0.5)) {
      const group = { outcome: "pending", code: "ACSP", reason: null } as const;
      mailbox.leave({ ...letters.statuses(messageId, [], group), said: [] });
    }
    for (const payment of taken) {
      const plan = payment.isAffordable
        ? planWire(chance, faults)
        : [{ kind: "failed", why: "insufficient funds", afterMs: second } as const];
      for (const { afterMs, ...planned } of plan)
        happenings.later(afterMs, () => happenToWire(payment, planned));
    }
  }

  function happenToWire(payment: BankPayment, what: Happening): void {
    if (what.kind === "settled") settleWire(payment);
    if (what.kind === "returned") returnWire(payment, what.code);
    if (what.kind === "failed") {
      const verdict = { outcome: "rejected", code: "RJCT", reason: what.why } as const;
      const status = { endToEndId: payment.id, ...verdict, networkReference: null };
      mailbox.leave({ ...letters.statuses(payment.file, [status]), said: failed([payment]) });
    }
  }

  /** Some banks tell that a wire went out in two ways, some only with the statement. */
  function settleWire(payment: BankPayment): void {
    payment.state = "settled";
    const { id, cents } = payment;
    const said: Said[] = [{ kind: "settled", id }];
    const line = account.book({ direction: "debit", cents, endToEndId: id }, said);
    const ways = chance.pick([["status"], ["status"], ["notice"], ["status", "notice"], []]);
    const verdict = { outcome: "settled", code: "ACSC", reason: null } as const;
    const status: WireStatus = { endToEndId: id, ...verdict, networkReference: line.reference };
    if (ways.includes("status"))
      mailbox.leave({ ...letters.statuses(payment.file, [status]), said });
    if (ways.includes("notice")) mailbox.leave({ ...letters.notification(line), said });
  }

  function returnWire(payment: BankPayment, code: string): void {
    assert(payment.state === "settled", "what comes back has gone before");
    payment.state = "returned";
    const { id, cents } = payment;
    const said: Said[] = [{ kind: "returned", id }];
    const back = { direction: "credit", cents, endToEndId: id, returnReason: code } as const;
    const line = account.book(back, said);
    if (chance.isTrue(0.8)) mailbox.leave({ ...letters.notification(line), said });
  }

  return {
    ...{ mailbox, account, payments, senders },
    exchange: faulty(
      { ...mailbox.exchange, put: async (name, bytes) => receive(name, bytes) },
      faults,
    ),
    sendWire({ cents, sender, texts }) {
      const reference = `IN${++count}`;
      senders.set(reference, sender);
      const said: Said[] = [{ kind: "received", reference, cents }];
      const { name } = sender;
      const counterparty = faults.strikes("sender_untold")
        ? { name, routingNumber: "", accountNumber: "" }
        : sender;
      const wire = { direction: "credit", cents, counterparty, texts } as const;
      const line = account.book({ ...wire, reference, endToEndId: null }, said);
      if (!faults.strikes("notification_missing"))
        mailbox.leave({ ...letters.notification(line), said });
    },
  };
}

const sumOf = (payments: readonly { cents: bigint }[]) =>
  asCents(payments.reduce((sum, { cents }) => sum + cents, 0n));

function askedBy({ identification, cents, trace, name, routingNumber, accountNumber }: AchEntry) {
  const to = { name, routingNumber, accountNumber };
  return { id: `pay-${identification}`, rail: "ach", cents, trace, to } as const;
}

function orderedBy({ endToEndId, cents, creditor: to, remittance: memo }: WireOrder) {
  // Our name for a wire is the payout's id.
  return { id: endToEndId as PayoutId, rail: "wire", cents, trace: endToEndId, to, memo } as const;
}

/** A place for files that cannot be reached at times, before or after it has done what it was asked. */
function faulty(exchange: FileExchange, faults: Faults): FileExchange {
  async function ask<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (faults.strikes("exchange_unreachable"))
      throw new Error("simulated: the bank's place for files is unreachable");
    const answer = await work();
    if (faults.strikes("exchange_unanswered"))
      throw new Error("simulated: the answer of the bank's place for files is lost");
    return answer;
  }
  return {
    put: (name, bytes) => ask(() => exchange.put(name, bytes)),
    list: () => ask(() => exchange.list()),
    get: (name) => ask(() => exchange.get(name)),
    setAside: (name) => ask(() => exchange.setAside(name)),
  };
}
