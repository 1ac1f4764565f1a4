import { parseArgs } from "node:util";
import { type Postgres, withPostgres } from "./postgres.ts";
import { benchBankFiles } from "./rails/bank-files.ts";
import { benchChainPayouts } from "./rails/chain-payouts.ts";
import { benchDeposits } from "./rails/deposits.ts";
import { benchHistory } from "./rails/history.ts";
import { benchNacha } from "./rails/nacha.ts";

/** How much of everything is done. */
const amounts = {
  usual: {
    nacha: { rounds: 9, entries: 10_000 },
    payouts: { rounds: 3, payouts: 200 },
    deposits: { rounds: 5, blocks: 200, perBlock: 50, few: 1_000, many: 100_000 },
    files: { rounds: 5, entries: 10_000 },
    history: { little: 1_000, lots: 200_000, lives: 100 },
  },
  quick: {
    nacha: { rounds: 3, entries: 1_000 },
    payouts: { rounds: 1, payouts: 20 },
    deposits: { rounds: 2, blocks: 40, perBlock: 50, few: 1_000, many: 5_000 },
    files: { rounds: 2, entries: 500 },
    history: { little: 1_000, lots: 10_000, lives: 10 },
  },
};

/** The rails: files for the bank, payouts and deposits on a chain, each beside the least that must be done. */
export async function benchRails(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { quick: { type: "boolean", default: false }, only: { type: "string" } },
  });
  const amount = amounts[values.quick ? "quick" : "usual"];
  const parts: Record<string, (postgres: Postgres) => Promise<void>> = {
    nacha: () => benchNacha(amount.nacha),
    payouts: (postgres) => benchChainPayouts(postgres, amount.payouts),
    deposits: (postgres) => benchDeposits(postgres, amount.deposits),
    files: (postgres) => benchBankFiles(postgres, amount.files),
    history: (postgres) => benchHistory(postgres, amount.history),
  };
  await withPostgres(async (postgres) => {
    for (const [name, part] of Object.entries(parts)) {
      if (values.only === undefined || values.only === name) await part(postgres);
    }
  });
}
