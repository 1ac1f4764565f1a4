import type { DueRunner } from "../../../database/due.ts";
import type { PayoutRail } from "../../../ramp/ports.ts";
import { chainBalances } from "../../../ramp/rails/evm/chain-books.ts";
import { evmRail } from "../../../ramp/rails/evm/chain-rail.ts";
import { evmRunners } from "../../../ramp/rails/evm/evm-runners.ts";
import type { LocalChain } from "./open-local-chain.ts";
import { localBlockchain } from "./tokens.ts";

/** Pays out on the sandbox's Ethereum; the twin does so on the others, and knows what it paid here before. */
export function localRail(local: LocalChain, twin: PayoutRail): PayoutRail {
  const rail = evmRail(local.evm);
  return {
    async submit(instruction) {
      const { rail: kind } = instruction;
      if (kind !== "chain" || instruction.token.blockchain !== localBlockchain)
        return twin.submit(instruction);
      await local.untilReady();
      return rail.submit(instruction);
    },
    find: async (reference) => (await rail.find(reference)) ?? twin.find(reference),
  };
}

type Balances = readonly { account: string; balance: bigint }[];

/** What is held for us, with what the sandbox's Ethereum says instead of what its twin does. */
export async function localBalances(local: LocalChain, kept: Balances): Promise<Balances> {
  await local.ensureReady();
  const elsewhere = kept.filter(({ account }) => !account.endsWith(`.${localBlockchain}`));
  return [...elsewhere, ...(await chainBalances(local.evm))];
}

/** The ramp's own work on the sandbox's Ethereum, while that is ready. */
export function localRunners(local: LocalChain): DueRunner[] {
  // Everything is swept, and waits for the same: whatever it is worth.
  const worthCents = () => undefined;
  return evmRunners({ ...local.evm, worthCents }).map(({ name, run }) => ({
    name,
    run: async (signal) => ((await local.isReady()) ? run(signal) : 0),
  }));
}
