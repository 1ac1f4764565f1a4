import { hexToBigInt } from "viem";
import type { Hex } from "../../../chains/hex.ts";
import type { Engine, Transaction } from "../engine.ts";
import { type Pool, pools, type Token } from "../layout.ts";
import { priceOf } from "../market/amounts.ts";
import { decide, type Market } from "../market/decide.ts";
import { fairPrice } from "../market/fair-price.ts";
import { carryOut } from "./carry-out.ts";

/** What everybody does in the block to come, as transactions. It follows from the arguments and the chain alone. */
export async function trade(
  engine: Engine,
  moment: Omit<Market, "usdOf" | "prices">,
): Promise<Transaction[]> {
  const usdOf = ({ asset }: Token) => fairPrice(moment.seed, asset, moment.time);
  const prices = await readPrices(engine);
  const call = (to: Hex, data: Hex) => engine.request<Hex>("eth_call", [{ to, data }, "latest"]);
  const transactions: Transaction[] = [];
  for (const order of decide({ ...moment, usdOf, prices })) {
    transactions.push(...(await carryOut(order, { usdOf, prices, call })));
  }
  return transactions;
}

/** The price in every pool that is open. */
async function readPrices(engine: Engine): Promise<Map<Pool, number>> {
  const roots = await Promise.all(pools.map((pool) => readSqrtPrice(engine, pool)));
  return new Map(
    pools.flatMap((pool, index) => {
      const sqrtPriceX96 = roots[index] ?? 0n;
      return sqrtPriceX96 > 0n ? [[pool, priceOf(sqrtPriceX96)]] : [];
    }),
  );
}

/** It is the lowest 160 bits of a pool's first word. To read that is ten times faster than a call. */
async function readSqrtPrice(engine: Engine, { address }: Pool): Promise<bigint> {
  const word = await engine.request<Hex>("eth_getStorageAt", [address, "0x0", "latest"]);
  return hexToBigInt(word) & (2n ** 160n - 1n);
}
