import type { Hex } from "../../../chains/hex.ts";
import { ledgerAccounts } from "../../ledger/accounts.ts";
import { listTold, type ToldChange } from "../store/chain-effects.ts";
import type { EvmContext } from "./chain-rail.ts";
import { type ChainToken, coinOf } from "./ramp-chain.ts";

/** How many balances are asked for at once. */
const asksMost = 20;

/**
 * What a chain holds for us, after everything that was told. Up to the final block nothing of ours is left untold, so
 * what an address holds there, and what was told of later blocks, is what our books must say. An address from which
 * everything was swept holds what gas was left, and nobody asks for it again: what came and went is the sum.
 */
export async function chainBalances(
  context: EvmContext,
): Promise<readonly { account: string; balance: bigint }[]> {
  const { chain, db } = context;
  const told = await listTold(db, chain.blockchain, coinOf(chain).symbol);
  // Nobody has looked at the chain yet, so nothing was told and nothing can be compared.
  if (!told) throw new Error(`${chain.blockchain} has not been looked through yet`);
  const balances: { account: string; balance: bigint }[] = [];
  for (const token of chain.tokens) {
    const of = told.changes.filter(({ currency }) => currency === token.symbol);
    const [hot, unswept] = await holdings(context, token, told.finalBlock, of);
    const place = { symbol: token.symbol, blockchain: chain.blockchain, decimals: token.decimals };
    balances.push(
      { account: ledgerAccounts.hot(place), balance: hot },
      { account: ledgerAccounts.unswept(place), balance: unswept },
    );
  }
  return balances;
}

/** What the hot wallet and what all deposit addresses hold of a token. */
async function holdings(
  { chain, nodes }: EvmContext,
  token: ChainToken,
  finalBlock: number,
  changes: readonly ToldChange[],
): Promise<[hot: bigint, unswept: bigint]> {
  const ofHot = changes.find(({ address }) => address === null);
  const hot = (await nodes.balance(chain.hotWallet, token, finalBlock)) + (ofHot?.later ?? 0n);
  const ofOthers = changes.filter(({ address }) => address !== null);
  let unswept = sum(ofOthers.filter(({ isUnswept }) => !isUnswept).map(({ units }) => units));
  const asked = ofOthers.filter(({ isUnswept }) => isUnswept);
  for (let from = 0; from < asked.length; from += asksMost) {
    const held = await Promise.all(
      asked.slice(from, from + asksMost).map(async ({ address, later }) => {
        const at = address?.toLowerCase() as Hex;
        return (await nodes.balance(at, token, finalBlock)) + later;
      }),
    );
    unswept += sum(held);
  }
  return [hot, unswept];
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
