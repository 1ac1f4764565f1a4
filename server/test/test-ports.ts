import { asPriceE18, type Cents, type Units } from "../src/lib/money.ts";
import { ledgerAccounts } from "../src/ramp/ledger/accounts.ts";
import type {
  Notice,
  PayoutInstruction,
  PayoutRail,
  Ports,
  Submission,
  Verdict,
} from "../src/ramp/ports.ts";
import type { PayoutId } from "../src/ramp/transaction.ts";

/** What a rail does wrong next: it cannot be reached, or it takes the money and does not say so. */
type RailFault = "unreachable" | "silent";

export type TestPorts = Ports & {
  /** What was paid, by reference. */
  payments: Map<PayoutId, PayoutInstruction>;
  /** Every call of `submit`, also those that failed or came again. */
  submissions: PayoutId[];
  /** Faults of the next submissions, in order. */
  faults: RailFault[];
  /** When set, the rails refuse everything. */
  refusal: string | undefined;
  /** Names and addresses that are on a list; `undefined` instead of a list: nobody answers. */
  sanctioned: Set<string> | undefined;
  priceUsd: Map<string, number>;
  balances: Map<string, bigint>;
  /** Tells a notice, after what was told before. The outside's own books follow. */
  tell(notice: Notice): void;
  /** Tells what was told before once more. */
  repeat(notice: Notice): void;
};

/** A bank, chains, prices and screening in memory that do what a test says. */
export function testPorts(): TestPorts {
  const told: Notice[] = [];
  const pageLength = 3;

  const rail: PayoutRail = {
    async submit(instruction) {
      const { reference } = instruction;
      ports.submissions.push(reference);
      const fault = ports.faults.shift();
      if (fault === "unreachable") throw new Error("connection refused");
      if (ports.refusal !== undefined) return { outcome: "refused", why: ports.refusal };
      ports.payments.set(reference, instruction);
      if (fault === "silent") throw new Error("connection reset after the request was sent");
      return accepted(reference);
    },
    async find(reference) {
      return ports.payments.has(reference) ? accepted(reference) : undefined;
    },
  };

  const verdictOn = async (who: string): Promise<Verdict> => {
    if (!ports.sanctioned) throw new Error("screening is down");
    return ports.sanctioned.has(who) ? "sanctioned" : "clear";
  };

  const ports: TestPorts = {
    payments: new Map(),
    submissions: [],
    faults: [],
    refusal: undefined,
    sanctioned: new Set(),
    priceUsd: new Map([
      ["USDC", 1],
      ["ETH", 2_500],
    ]),
    balances: new Map(),
    tell(notice) {
      ports.repeat(notice);
      for (const [account, change] of changesOf(ports, notice))
        ports.balances.set(account, (ports.balances.get(account) ?? 0n) + change);
    },
    repeat: (notice) => void told.push(notice),
    serves: () => true,
    rails: { ach: rail, wire: rail, chain: rail },
    news: [
      {
        name: "test-world",
        async read(after) {
          const from = Number(after ?? 0);
          const notices = told.slice(from, from + pageLength);
          return { notices, cursor: notices.length > 0 ? String(from + notices.length) : after };
        },
      },
    ],
    books: {
      balances: async () => [...ports.balances].map(([account, balance]) => ({ account, balance })),
    },
    prices: {
      current({ symbol }) {
        const price = ports.priceUsd.get(symbol);
        return price === undefined
          ? undefined
          : { priceE18: asPriceE18(BigInt(price * 1e6) * 10n ** 12n), sources: ["test"] };
      },
    },
    screening: { person: verdictOn, wallet: (_, address) => verdictOn(address) },
    depositAddresses: { at: (blockchain, index) => `${blockchain}-address-${index}` },
  };
  return ports;
}

function accepted(reference: PayoutId): Submission {
  return { outcome: "accepted", trace: `trace of ${reference}` };
}

/** What a notice changes in what the outside holds for us. */
function changesOf(ports: TestPorts, notice: Notice): [account: string, change: bigint][] {
  switch (notice.kind) {
    case "wire_received":
      return [[ledgerAccounts.bank(), notice.cents]];
    case "deposit_final": {
      const token = { symbol: notice.currency, blockchain: notice.blockchain, decimals: 0 };
      return [[ledgerAccounts.unswept(token), notice.units]];
    }
    case "payout_settled":
      return paymentOf(ports, notice.reference, -1n);
    case "payout_returned":
      return paymentOf(ports, notice.reference, 1n);
    default:
      return [];
  }
}

function paymentOf(ports: TestPorts, reference: PayoutId, sign: bigint): [string, bigint][] {
  const payment = ports.payments.get(reference);
  if (!payment) return [];
  const amount: Cents | Units = payment.rail === "chain" ? payment.units : payment.cents;
  const account =
    payment.rail === "chain" ? ledgerAccounts.hot(payment.token) : ledgerAccounts.bank();
  return [[account, sign * amount]];
}
