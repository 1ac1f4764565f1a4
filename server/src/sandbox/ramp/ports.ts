import { type DueRunner, dueRunner } from "../../database/due.ts";
import type { NewsSource, PayoutRail, Ports } from "../../ramp/ports.ts";
import { achRail } from "../../ramp/rails/bank/ach-rail.ts";
import type { BankContext } from "../../ramp/rails/bank/bank-profile.ts";
import { bankRunners } from "../../ramp/rails/bank/bank-runners.ts";
import { wireRail } from "../../ramp/rails/bank/wire-rail.ts";
import { railNews } from "../../ramp/rails/store/notices.ts";
import { listBalances } from "../store/balances.ts";
import { readNotices, type SandboxSource } from "../store/notices.ts";
import { sandboxBankExchange } from "./bank/bank-exchange.ts";
import { withOldPayments } from "./bank/before-files.ts";
import { dueSentFiles } from "./bank/happen.ts";
import { dueStatements } from "./bank/statements.ts";
import { sandboxDepositAddresses } from "./deposit-addresses.ts";
import { dueDeposits } from "./deposits.ts";
import { handBack } from "./local-chain/hand-back.ts";
import { localBalances, localRail, localRunners } from "./local-chain/local-ports.ts";
import type { LocalChain } from "./local-chain/open-local-chain.ts";
import { duePayments, sandboxChainRail } from "./payments.ts";
import { sandboxPrices } from "./prices.ts";
import { sandboxScreening } from "./screening.ts";

type SandboxContext = BankContext & {
  /** Ethereum for real; without it, Ethereum is kept in tables like the other blockchains. */
  local?: LocalChain | undefined;
};

/** The world outside as the sandbox has it. It keeps what it knows in tables of its own. */
export function openSandboxPorts(context: SandboxContext): Ports {
  const { db, clock, sealer, local } = context;
  const twin = sandboxChainRail({ db, clock });
  const chain: PayoutRail = local ? localRail(local, twin) : twin;
  const source = (name: SandboxSource): NewsSource => ({
    name,
    read: (after) => readNotices(db, name, after),
  });
  return {
    serves: () => true,
    rails: {
      ach: withOldPayments(achRail(context), context),
      wire: withOldPayments(wireRail(context), context),
      chain,
    },
    news: [
      // What the bank told directly before it read files.
      source("sandbox-bank"),
      source("sandbox-chain"),
      railNews({ db, sealer }, "bank"),
      railNews({ db, sealer }, "chain:ethereum"),
    ],
    books: {
      balances: async () => {
        const { balances, isBankAtWork } = await listBalances(db, new Date(clock.now()));
        if (isBankAtWork) throw new Error("the sandbox's bank is at work");
        return local ? localBalances(local, balances) : balances;
      },
    },
    prices: sandboxPrices(),
    screening: sandboxScreening,
    depositAddresses: sandboxDepositAddresses,
  };
}

/** What happens at the sandbox's bank and on its chains when its time has come, and what we do about it. */
export function sandboxRunners(context: SandboxContext): DueRunner[] {
  const { local } = context;
  // What the bank leaves is looked for at once.
  const bank = { ...context, exchange: sandboxBankExchange(context), everyMs: 0 };
  return [
    dueRunner(context, dueSentFiles),
    dueRunner(context, duePayments),
    dueRunner(context, dueDeposits),
    dueRunner(context, dueStatements),
    ...bankRunners(bank),
    ...(local ? localRunners(local) : [handBack(context)]),
  ];
}
