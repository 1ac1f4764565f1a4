import type { Clock } from "../../src/lib/clock.ts";
import type { Cents } from "../../src/lib/money.ts";
import { ledgerAccounts } from "../../src/ramp/ledger/accounts.ts";
import type { Screening } from "../../src/ramp/ports.ts";
import type { PayoutId } from "../../src/ramp/transaction.ts";
import { type Bank, openBank } from "./bank.ts";
import { blockchain, type Chain, openChain } from "./chain.ts";
import type { Chance } from "./chance.ts";
import type { Faults } from "./faults.ts";
import { type Happenings, openHappenings } from "./happenings.ts";
import { type Market, openMarket } from "./market.ts";

type Wire = { cents: Cents; senderName: string; texts: readonly string[] };

/** Everything outside: a bank and a chain that never pay by mistake, and know what they were asked for. */
export type World = {
  clock: Clock & { advance(ms: number): void };
  happenings: Happenings;
  market: Market;
  screening: Screening;
  bank: Bank;
  chain: Chain;
  /** What the bank and the chain did against their will: nothing, as long as nobody makes them. */
  protests: readonly string[];
  sendWire(wire: Wire): void;
  /** What we own at the bank for whoever has read these files, and knows that these ACH payments are settled. */
  toldCents(files: readonly string[], settledEntries: ReadonlySet<PayoutId>): bigint;
  /** The owners put something into one of our accounts. */
  endow(account: string, amount: bigint): void;
};

/** Whom nobody may deal with. */
export const blocked = {
  name: "IVAN BLOCKED",
  address: "0xBAD0000000000000000000000000000000000BAD",
} as const;

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
  const protests: string[] = [];
  const protest = (what: string) => void protests.push(what);
  const outside = { clock, chance, faults, happenings, narrate };
  const bank = openBank({ ...outside, protest });
  const chain = openChain(outside);
  const sanctioned = new Set(Object.values(blocked).map((one) => one.toLowerCase()));

  async function verdictOn(who: string) {
    if (faults.strikes("screening_unreachable")) throw new Error("simulated: screening is down");
    return sanctioned.has(who.toLowerCase()) ? ("sanctioned" as const) : ("clear" as const);
  }

  return {
    ...{ clock, happenings, market, bank, chain, protests },
    screening: { person: verdictOn, wallet: (_, address) => verdictOn(address) },
    sendWire({ senderName, cents, texts }) {
      const account = { routingNumber: "021000021", accountNumber: "5550001" };
      bank.sendWire({ cents, texts, sender: { name: senderName, ...account } });
    },
    toldCents(files, settledEntries) {
      const said = bank.mailbox.saidIn(files);
      const came = new Map(
        said.flatMap((one) => (one.kind === "received" ? [[one.reference, one.cents]] : [])),
      );
      const named = (kind: "settled" | "returned") =>
        said.flatMap((one) => (one.kind === kind ? [one.id] : []));
      const left = new Set([...named("settled"), ...settledEntries]);
      for (const id of named("returned")) left.delete(id);
      const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((all, one) => all + one, 0n);
      const sent = [...left].map((id) => bank.payments.get(id)?.cents ?? 0n);
      return bank.account.gifts() + sum(came.values()) - sum(sent);
    },
    endow(account, amount) {
      if (account === ledgerAccounts.bank()) return bank.account.endow(amount);
      const [, asset = ""] = account.split(":");
      chain.endow(asset.slice(0, -1 - blockchain.length), amount);
    },
  };
}

/** Our account on the chain for a token. */
export function chainAccount(symbol: string): string {
  return ledgerAccounts.hot({ symbol, blockchain, decimals: 0 });
}
