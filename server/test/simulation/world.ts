import type { Clock } from "../../src/lib/clock.ts";
import { assert } from "../../src/lib/errors.ts";
import type { Cents, Units } from "../../src/lib/money.ts";
import { ledgerAccounts } from "../../src/ramp/ledger/accounts.ts";
import type { Notice, PayoutInstruction, Ports, Submission } from "../../src/ramp/ports.ts";
import type { PayoutId } from "../../src/ramp/transaction.ts";
import type { Chance } from "./chance.ts";
import type { Faults } from "./faults.ts";
import { type Happenings, openHappenings } from "./happenings.ts";
import { type Market, openMarket } from "./market.ts";
import { planOf } from "./payment-plan.ts";

/** A payment that was asked of the world, and what has truly become of it. */
export type Payment = {
  instruction: PayoutInstruction;
  state: "refused" | "taken" | "settled" | "failed" | "returned";
  /** Why it was refused. */
  why: string | null;
};

type Wire = { cents: Cents; senderName: string; texts: readonly string[] };
type Transfer = { address: string; fromAddress: string; currency: string; units: Units };

/** Everything outside: a bank and a chain that never pay by mistake, and know what they were asked for. */
export type World = {
  clock: Clock & { advance(ms: number): void };
  happenings: Happenings;
  market: Market;
  ports: Ports;
  payments: ReadonlyMap<PayoutId, Payment>;
  /** What the bank and the chain did against their will: nothing, as long as nobody makes them. */
  protests: readonly string[];
  /** How many notices there are from each source. */
  toldCount(source: string): number;
  /** Whether our side cannot know yet what became of a payment. */
  isUnconfirmed(reference: string): boolean;
  sendWire(wire: Wire): void;
  sendTransfer(transfer: Transfer): void;
  /** The owners put something into one of our accounts. */
  endow(account: string, amount: bigint): void;
};

export const blockchain = "base";
/** Whom nobody may deal with. */
export const blocked = {
  name: "IVAN BLOCKED",
  address: "0xBAD0000000000000000000000000000000000BAD",
} as const;
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const pageLengthMost = 3;

type PayoutNotice = Extract<
  Notice,
  { kind: "payout_settled" | "payout_failed" | "payout_returned" }
>;
type DepositNotice = Extract<Notice, { logIndex: number }>;
type Outside = {
  clock: World["clock"];
  chance: Chance;
  faults: Faults;
  /** Hears of everything that is told. */
  narrate(line: string): void;
};

/** Opens an empty world that goes wrong as often as `faults` say. */
export function openWorld({ clock, chance, faults, narrate }: Outside): World {
  const happenings = openHappenings(clock);
  const market = openMarket(chance, faults);
  const payments = new Map<PayoutId, Payment>();
  const protests: string[] = [];
  const sanctioned = new Set<string>(Object.values(blocked));
  const told = { bank: [] as Notice[], chain: [] as Notice[] };
  /** What we own by everything that was told, and in truth. */
  const toldBalances = new Map<string, bigint>();
  const balances = new Map<string, bigint>();
  let count = 0;

  const add = (book: Map<string, bigint>, account: string, amount: bigint) =>
    book.set(account, (book.get(account) ?? 0n) + amount);

  /** Tells at once or late, once or twice. */
  function tell(notice: Notice): void {
    const source = "transactionHash" in notice || isOnChain(notice) ? "chain" : "bank";
    const publish = () => {
      const isNew = !told[source].includes(notice);
      told[source].push(notice);
      const about = "reference" in notice ? notice.reference : "";
      const transfer = "transactionHash" in notice ? notice.transactionHash : "";
      narrate(`${source} tells ${notice.kind} ${about}${transfer}${isNew ? "" : " again"}`);
      if (isNew) bookTold(notice);
    };
    happenings.later(
      faults.strikes("notice_late") ? chance.between(minute, 12 * hour) : 0,
      publish,
    );
    if (faults.strikes("notice_twice")) happenings.later(chance.between(0, 48 * hour), publish);
    happenings.catchUp();
  }

  const isOnChain = (notice: Notice) =>
    "reference" in notice && payments.get(notice.reference)?.instruction.rail === "chain";

  const wasTold = (kind: Notice["kind"], reference: string) =>
    [...told.bank, ...told.chain].some(
      (notice) => notice.kind === kind && "reference" in notice && notice.reference === reference,
    );

  function bookTold(notice: Notice): void {
    if (notice.kind === "wire_received") add(toldBalances, ledgerAccounts.bank(), notice.cents);
    if (notice.kind === "deposit_final") add(toldBalances, depositAccount(notice), notice.units);
    if (notice.kind === "payout_settled" || notice.kind === "payout_returned")
      bookToldPayment(notice);
  }

  /** Whoever hears first that money came back has never booked that it had gone. */
  function bookToldPayment({ kind, reference }: PayoutNotice): void {
    const { account, amount } = costOf(paymentOf(reference).instruction);
    if (kind === "payout_settled" && !wasTold("payout_returned", reference))
      add(toldBalances, account, -amount);
    if (kind === "payout_returned" && wasTold("payout_settled", reference))
      add(toldBalances, account, amount);
  }

  function paymentOf(reference: PayoutId): Payment {
    const payment = payments.get(reference);
    assert(payment, `the world was asked for ${reference}`);
    return payment;
  }

  async function submit(instruction: PayoutInstruction): Promise<Submission> {
    const { reference } = instruction;
    if (payments.has(reference)) protests.push(`${reference} was handed over twice`);
    if (faults.strikes("submit_unreachable")) throw new Error("simulated: the rail is unreachable");
    const payment = pay(instruction);
    if (faults.strikes("submit_unanswered"))
      throw new Error("simulated: the rail's answer is lost");
    return submissionOf(payment);
  }

  function pay(instruction: PayoutInstruction): Payment {
    const { reference, rail } = instruction;
    const { account, amount } = costOf(instruction);
    const isAffordable = (balances.get(account) ?? 0n) - takenFrom(account) >= amount;
    const refusal = faults.strikes("payout_refused") ? "refused" : null;
    const why = isAffordable ? refusal : "insufficient funds";
    const payment: Payment = { instruction, state: why ? "refused" : "taken", why };
    payments.set(reference, payment);
    if (why) return payment;
    for (const { afterMs, ...planned } of planOf(rail, chance, faults))
      happenings.later(afterMs, () => happen(reference, planned));
    return payment;
  }

  const takenFrom = (account: string) =>
    [...payments.values()]
      .filter(({ state }) => state === "taken")
      .map(({ instruction }) => costOf(instruction))
      .filter((cost) => cost.account === account)
      .reduce((sum, { amount }) => sum + amount, 0n);

  function happen(reference: PayoutId, what: Happening): void {
    const payment = paymentOf(reference);
    const { account, amount } = costOf(payment.instruction);
    if (what.kind === "payout_settled") add(balances, account, -amount);
    if (what.kind === "payout_returned" && payment.state === "settled")
      add(balances, account, amount);
    payment.state = stateAfter[what.kind];
    tell({ ...what, reference, at: clock.now() } as PayoutNotice);
  }

  /** A block, perhaps taken back, perhaps with the transfer in another one, and final after some minutes. */
  function mine(transfer: Transfer & { transactionHash: string; logIndex: number }): void {
    const blockTime = clock.now();
    const notice = (kind: DepositNotice["kind"]): DepositNotice => ({
      ...{ kind, blockchain, ...transfer, blockTime, at: clock.now() },
    });
    tell(notice("deposit_seen"));
    const isTakenBack = faults.strikes("deposit_gone");
    const isMinedAgain = faults.strikes("deposit_mined_again");
    if (isTakenBack || isMinedAgain) {
      happenings.later(chance.between(second, 5 * minute), () => {
        tell(notice("deposit_gone"));
        if (isMinedAgain) happenings.later(chance.between(second, hour), () => mine(transfer));
      });
      return;
    }
    happenings.later(chance.between(second, 20 * minute), () => {
      const final = notice("deposit_final");
      add(balances, depositAccount(final), transfer.units);
      tell(final);
    });
  }

  const source = (name: "bank" | "chain") => ({
    name,
    async read(after: string | null) {
      if (faults.strikes("read_unreachable"))
        throw new Error("simulated: the source is unreachable");
      const from = Number(after ?? 0);
      const notices = told[name].slice(from, from + chance.between(1, pageLengthMost));
      if (faults.strikes("read_unanswered"))
        throw new Error("simulated: the source's answer is lost");
      return { notices, cursor: notices.length > 0 ? String(from + notices.length) : after };
    },
  });

  async function verdictOn(who: string) {
    if (faults.strikes("screening_unreachable")) throw new Error("simulated: screening is down");
    return sanctioned.has(who) ? ("sanctioned" as const) : ("clear" as const);
  }

  const rail = {
    submit,
    async find(reference: PayoutId) {
      if (faults.strikes("find_unreachable")) throw new Error("simulated: the rail is unreachable");
      const payment = payments.get(reference);
      return payment && submissionOf(payment);
    },
  };

  return {
    ...{ clock, happenings, market, payments, protests },
    ports: {
      serves: () => true,
      rails: { ach: rail, wire: rail, chain: rail },
      news: [source("bank"), source("chain")],
      books: {
        balances: async () => [...toldBalances].map(([account, balance]) => ({ account, balance })),
      },
      prices: market,
      screening: { person: verdictOn, wallet: (_, address) => verdictOn(address) },
      depositAddresses: { at: (_, index) => `0x${index.toString(16).padStart(40, "0")}` },
    },
    toldCount: (name) => told[name as "bank" | "chain"].length,
    isUnconfirmed: (reference) =>
      !(["payout_settled", "payout_failed", "payout_returned"] as const).some((kind) =>
        wasTold(kind, reference),
      ),
    sendWire(wire) {
      add(balances, ledgerAccounts.bank(), wire.cents);
      const bankReference = `IMAD${++count}`;
      const sender = { senderName: wire.senderName, senderAccount: "5550001" };
      const { cents, texts } = wire;
      tell({ kind: "wire_received", bankReference, cents, ...sender, texts, at: clock.now() });
    },
    sendTransfer: (transfer) => mine({ ...transfer, transactionHash: `0x${++count}`, logIndex: 0 }),
    endow(account, amount) {
      add(balances, account, amount);
      add(toldBalances, account, amount);
    },
  };
}

/** What can happen to a payment, and how the world tells it. */
export type Happening =
  | { kind: "payout_settled"; trace: string | null }
  | { kind: "payout_failed"; why: string }
  | { kind: "payout_returned"; code: string };

const stateAfter = {
  payout_settled: "settled",
  payout_failed: "failed",
  payout_returned: "returned",
} as const;

/** Which of our accounts a payment is taken from, and how much. */
export function costOf(instruction: PayoutInstruction): { account: string; amount: bigint } {
  // What lies on a chain is one account for the chain: swept or not, it is ours.
  return instruction.rail === "chain"
    ? { account: chainAccount(instruction.token.symbol), amount: instruction.units }
    : { account: ledgerAccounts.bank(), amount: instruction.cents };
}

/** Our account on the chain for a token. */
export function chainAccount(symbol: string): string {
  return ledgerAccounts.hot({ symbol, blockchain, decimals: 0 });
}

const depositAccount = ({ currency }: DepositNotice) => chainAccount(currency);

function submissionOf({ why, instruction }: Payment): Submission {
  return why === null
    ? { outcome: "accepted", trace: `trace-${instruction.reference}` }
    : { outcome: "refused", why };
}
