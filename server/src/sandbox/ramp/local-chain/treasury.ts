import { encodeDeployData, hexToNumber, parseEther } from "viem";
import type { Hex } from "../../../chains/hex.ts";
import type { Transaction } from "../../../database/database.ts";
import { assert } from "../../../lib/errors.ts";
import { ledgerAccounts } from "../../../ramp/ledger/accounts.ts";
import { bookOpening } from "../../../ramp/ledger/book.ts";
import type { ChainToken } from "../../../ramp/rails/evm/ramp-chain.ts";
import { findChainCursor, insertCursor } from "../../../ramp/rails/store/chain-blocks.ts";
import { bookOnce } from "../../../ramp/store/ledger.ts";
import { tokenAbi } from "../../chain/contracts/abis.ts";
import { compiled } from "../../chain/contracts/compiled.ts";
import {
  endTakeOver,
  findAnchor,
  hurryTwin,
  isBusy,
  rememberBlock,
  tryLockTreasury,
} from "../../store/local-chain.ts";
import type { SandboxClock } from "../clock.ts";
import { localHotWallet } from "./keys.ts";
import { type BooksContext, forgetPast, readOwned } from "./local-books.ts";
import { act, actAs, balanceOf, blockAt, type LocalRpc } from "./local-rpc.ts";
import { supply } from "./supply.ts";
import { harbourAddress, harbourTokens, localBlockchain, localTokens } from "./tokens.ts";

type TreasuryContext = BooksContext & { clock: SandboxClock };

const deployGas = 2_000_000n;
const harbourNeeds = parseEther("1");

/** A chain that lives is never this far behind the real time. */
const behindMostMs = 120_000;

/**
 * Gives the hot wallet on the sandbox's Ethereum what the books say that we own there, once: when the chain takes over
 * from its twin, and when it has lost its past and begun anew. Returns whether the ramp can go on there; not as long as
 * the chain makes up its past, or there are news that the books do not know of. Whoever is killed on the way has given
 * something, and the next one gives what is still missing.
 */
export async function prepareTreasury(context: TreasuryContext, rpc: LocalRpc): Promise<boolean> {
  const { db, clock } = context;
  await forgetLostPast(context, rpc);
  if (await findChainCursor(db, localBlockchain)) return true;
  if (await isMakingUpItsPast(context, rpc)) return false;
  await hurryTwin(db, localBlockchain, new Date(clock.now()));
  return db.transact(async (tx) => {
    // The chain is asked in here: nobody else may give the same again, and nothing that others need is locked.
    if (!(await tryLockTreasury(tx))) return false;
    if (await findChainCursor(tx, localBlockchain)) return true;
    if (await isBusy(tx, localBlockchain)) return false;
    await deployTokens(rpc);
    await takeOver(tx, context, rpc);
    return true;
  });
}

/** A chain that no longer has a block that was final is another one. */
async function forgetLostPast(context: TreasuryContext, rpc: LocalRpc): Promise<void> {
  const { db, log } = context;
  const anchor = await findAnchor(db, localBlockchain);
  if (!anchor || (await blockAt(rpc, anchor.number))?.hash === anchor.hash) return;
  log.warn(
    "the sandbox's Ethereum has lost its past: what was not final there is gone, and its tokens are given again",
  );
  await db.transact(async (tx) => {
    // Somebody else may have been faster.
    if (!(await tryLockTreasury(tx))) return;
    if ((await findAnchor(tx, localBlockchain))?.hash !== anchor.hash) return;
    await forgetPast(tx, context);
    await endTakeOver(tx, localBlockchain);
  });
}

/** There is nothing to be looked for in blocks of a past that is made up, and they are many. */
async function isMakingUpItsPast({ clock }: TreasuryContext, rpc: LocalRpc): Promise<boolean> {
  const head = await blockAt(rpc, "latest");
  const chainMs = (head?.time ?? 0) * 1_000;
  return chainMs < clock.now() - clock.aheadMs() - behindMostMs;
}

/** Their addresses follow from how many the harbour had deployed before. */
async function deployTokens(rpc: LocalRpc): Promise<void> {
  await supply(rpc, nativeToken(), harbourAddress, harbourNeeds);
  const deployed = hexToNumber(
    await rpc<Hex>("eth_getTransactionCount", [harbourAddress, "latest"]),
  );
  await actAs(rpc, harbourAddress, async () => {
    for (const { name, symbol, decimals } of harbourTokens.slice(deployed)) {
      const args = [name, symbol, decimals] as const;
      const data = encodeDeployData({ abi: tokenAbi, bytecode: compiled.token, args });
      await act(rpc, { from: harbourAddress, data, gas: deployGas });
    }
  });
}

/**
 * Gives what is missing, and lets the ramp look at the chain from there on. In the books everything is then in the hot
 * wallet: nothing is expected at addresses that have nothing on this chain. What the chain cannot give, or has too
 * much, is the owners'.
 */
async function takeOver(tx: Transaction, { clock }: TreasuryContext, rpc: LocalRpc): Promise<void> {
  const owned = await readOwned(tx);
  for (const { token, hot, unswept } of owned) {
    await supply(rpc, token, localHotWallet, hot + unswept);
  }
  const block = await blockAt(rpc, "latest");
  assert(block, "a chain has a newest block");
  const at = new Date(clock.now());
  for (const { token, hot, unswept } of owned) {
    const there = await balanceOf(rpc, token, localHotWallet, block.number);
    const place = { ...token, blockchain: localBlockchain };
    const fact = `${localBlockchain}:${block.hash}:${token.symbol}`;
    await bookSweep(tx, { place, unswept, fact: `${fact}:swept`, at });
    const difference = there - hot - unswept;
    if (difference !== 0n) await bookOpening(tx, ledgerAccounts.hot(place), difference, fact, at);
  }
  await insertCursor(tx, localBlockchain, block, at);
  await rememberBlock(tx, localBlockchain, { ...block, at });
}

async function bookSweep(
  tx: Transaction,
  {
    place,
    unswept,
    fact,
    at,
  }: {
    place: { symbol: string; blockchain: string; decimals: number };
    unswept: bigint;
    fact: string;
    at: Date;
  },
): Promise<void> {
  if (unswept === 0n) return;
  const asset = `${place.symbol}.${place.blockchain}`;
  const [from, to] = [ledgerAccounts.hot(place), ledgerAccounts.unswept(place)];
  const moves = [{ asset, amount: unswept, from, to }];
  await bookOnce(tx, { fact, kind: "own_transfer", transactionId: null, at, moves });
}

function nativeToken(): ChainToken {
  const token = localTokens.find(({ contract }) => !contract);
  assert(token, "Ether has no contract");
  return token;
}
