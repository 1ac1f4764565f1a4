import type { Hex } from "../../../chains/hex.ts";
import { ledgerAccounts } from "../../ledger/accounts.ts";
import { findTold, type Told } from "../store/chain-effects.ts";
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
  const told = await findTold(db, chain.blockchain, coinOf(chain).symbol);
  // Nobody has looked at the chain yet, so nothing was told and nothing can be compared.
  if (!told) throw new Error(`${chain.blockchain} has not been looked through yet`);
  const balances: { account: string; balance: bigint }[] = [];
  for (const token of chain.tokens) {
    const [hot, unswept] = await holdings(context, token, told);
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
  { finalBlock, hotLater, unsweptLater, swept }: Told,
): Promise<[hot: bigint, unswept: bigint]> {
  const isOf = ({ currency }: { currency: string }) => currency === token.symbol;
  const atFinal = (address: string) =>
    nodes.balance(address.toLowerCase() as Hex, token, finalBlock);
  const hot = (await atFinal(chain.hotWallet)) + sum(hotLater.filter(isOf));
  const asked = unsweptLater.filter(isOf);
  let unswept = sum(swept.filter(isOf)) + sum(asked);
  for (let from = 0; from < asked.length; from += asksMost) {
    const some = asked.slice(from, from + asksMost);
    const held = await Promise.all(some.map(({ address }) => atFinal(address)));
    unswept += held.reduce((total, units) => total + units, 0n);
  }
  return [hot, unswept];
}

function sum(changes: readonly { units: bigint }[]): bigint {
  return changes.reduce((total, { units }) => total + units, 0n);
}
