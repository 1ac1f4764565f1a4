import type { Database } from "../../database/database.ts";
import { type DueRunner, dueRunner } from "../../database/due.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Sealer } from "../../lib/seal.ts";
import type { NewsSource, PayoutRail, Ports } from "../../ramp/ports.ts";
import { railNews } from "../../ramp/rails/store/notices.ts";
import { listBalances } from "../store/balances.ts";
import { readNotices, type SandboxSource } from "../store/notices.ts";
import { sandboxDepositAddresses } from "./deposit-addresses.ts";
import { dueDeposits } from "./deposits.ts";
import { handBack } from "./local-chain/hand-back.ts";
import { localBalances, localRail, localRunners } from "./local-chain/local-ports.ts";
import type { LocalChain } from "./local-chain/open-local-chain.ts";
import { duePayments, sandboxRail } from "./payments.ts";
import { sandboxPrices } from "./prices.ts";
import { sandboxScreening } from "./screening.ts";

type SandboxContext = {
  db: Database;
  clock: Clock;
  sealer: Sealer;
  /** Ethereum for real; without it, Ethereum is kept in tables like the other blockchains. */
  local?: LocalChain | undefined;
};

/** The world outside as the sandbox has it. It keeps what it knows in tables of its own. */
export function openSandboxPorts({ db, clock, sealer, local }: SandboxContext): Ports {
  const rail = sandboxRail({ db, clock });
  const chain: PayoutRail = local ? localRail(local, rail) : rail;
  const source = (name: SandboxSource): NewsSource => ({
    name,
    read: (after) => readNotices(db, name, after),
  });
  return {
    serves: () => true,
    rails: { ach: rail, wire: rail, chain },
    news: [
      source("sandbox-bank"),
      source("sandbox-chain"),
      railNews({ db, sealer }, "chain:ethereum"),
    ],
    books: {
      balances: async () => {
        const kept = await listBalances(db);
        return local ? localBalances(local, kept) : kept;
      },
    },
    prices: sandboxPrices(),
    screening: sandboxScreening,
    depositAddresses: sandboxDepositAddresses,
  };
}

/** What happens at the sandbox's bank and on its chains when its time has come. */
export function sandboxRunners(context: SandboxContext & { log: Log }): DueRunner[] {
  const { local } = context;
  return [
    dueRunner(context, duePayments),
    dueRunner(context, dueDeposits),
    ...(local ? localRunners(local) : [handBack(context)]),
  ];
}
