import type { Database } from "../../database/database.ts";
import { type DueRunner, dueRunner } from "../../database/due.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { NewsSource, Ports } from "../../ramp/ports.ts";
import { listBalances } from "../store/balances.ts";
import { readNotices, type SandboxSource } from "../store/notices.ts";
import { sandboxDepositAddresses } from "./deposit-addresses.ts";
import { dueDeposits } from "./deposits.ts";
import { duePayments, sandboxRail } from "./payments.ts";
import { sandboxPrices } from "./prices.ts";
import { sandboxScreening } from "./screening.ts";

/** The world outside as the sandbox has it. It keeps what it knows in tables of its own. */
export function openSandboxPorts({ db, clock }: { db: Database; clock: Clock }): Ports {
  const rail = sandboxRail({ db, clock });
  const source = (name: SandboxSource): NewsSource => ({
    name,
    read: (after) => readNotices(db, name, after),
  });
  return {
    serves: () => true,
    rails: { ach: rail, wire: rail, chain: rail },
    news: [source("sandbox-bank"), source("sandbox-chain")],
    books: { balances: () => listBalances(db) },
    prices: sandboxPrices(),
    screening: sandboxScreening,
    depositAddresses: sandboxDepositAddresses,
  };
}

/** What happens at the sandbox's bank and on its chains when its time has come. */
export function sandboxRunners(context: { db: Database; clock: Clock; log: Log }): DueRunner[] {
  return [dueRunner(context, duePayments), dueRunner(context, dueDeposits)];
}
