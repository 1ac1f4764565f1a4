import { decodeFunctionResult, encodeFunctionData, maxUint128 } from "viem";
import type { Hex } from "../../../chains/hex.ts";
import { positionsAbi } from "../contracts/abis.ts";
import type { Transaction } from "../engine.ts";
import { type Actor, contracts, founder, type Pool, providers } from "../layout.ts";
import { sqrtPriceX96Of, tickNear, unitsWorth } from "../market/amounts.ts";
import type { Order, Range } from "../market/orders.ts";
import { type Desk, deadline, orderGas, priceIn } from "./desk.ts";

type Position = { id: bigint; owner: Actor; liquidity: bigint };

/** Making a pool copies its whole code. */
const openGas = 7_000_000n;
const tickMost = 887_272;

/** Makes a pool at the fair price, with what stays in it for good: everywhere, widely and closely around the price. */
export function openPool(pool: Pool, desk: Desk): Transaction[] {
  const price = priceIn(pool, desk);
  const tickLast = Math.floor(tickMost / pool.tickSpacing) * pool.tickSpacing;
  const third = { provider: founder, pool, usd: pool.depthUsd / 3 };
  const create = encodeFunctionData({
    abi: positionsAbi,
    functionName: "createAndInitializePoolIfNecessary",
    args: [pool.token0.address, pool.token1.address, pool.fee, sqrtPriceX96Of(price)],
  });
  return [
    { ...toPositions(founder, create), gas: openGas },
    mintTransaction({ ...third, lower: -tickLast, upper: tickLast }, desk),
    provide({ ...third, range: rangeAround(4 * pool.spread) }, desk),
    provide({ ...third, range: rangeAround(pool.spread) }, desk),
  ];
}

/** Puts tokens into a pool, for prices in a range. */
export function provide(
  order: Pick<Extract<Order, { kind: "provide" }>, "provider" | "pool" | "range" | "usd">,
  desk: Desk,
): Transaction {
  const { pool, range } = order;
  const price = priceIn(pool, desk);
  const lower = tickNear(price * range.from, pool);
  const upper = Math.max(tickNear(price * range.to, pool), lower + pool.tickSpacing);
  return mintTransaction({ ...order, lower, upper }, desk);
}

/** Takes a part out of a position and all that is owed to its owner, if there is such a position. */
export async function withdraw(
  { which, part }: { which: number; part: number },
  desk: Desk,
): Promise<Transaction[]> {
  const position = await findPosition(which, desk);
  if (!position || position.liquidity === 0n) return [];
  const { id, owner, liquidity } = position;
  const decrease = encodeFunctionData({
    abi: positionsAbi,
    functionName: "decreaseLiquidity",
    args: [
      {
        tokenId: id,
        liquidity: (liquidity * BigInt(Math.round(part * 1_000))) / 1_000n,
        amount0Min: 0n,
        amount1Min: 0n,
        deadline,
      },
    ],
  });
  const both = encodeFunctionData({
    abi: positionsAbi,
    functionName: "multicall",
    args: [[decrease, collectCall(position)]],
  });
  return [toPositions(owner, both)];
}

/** Takes what is owed to the owner of a position, if there is one. */
export async function collect(which: number, desk: Desk): Promise<Transaction[]> {
  const position = await findPosition(which, desk);
  return position ? [toPositions(position.owner, collectCall(position))] : [];
}

function rangeAround(spread: number): Range {
  return { from: Math.exp(-spread), to: Math.exp(spread) };
}

type Mint = { provider: Actor; pool: Pool; usd: number; lower: number; upper: number };

function mintTransaction(
  { provider, pool, usd, lower, upper }: Mint,
  { usdOf }: Desk,
): Transaction {
  const { token0, token1, fee } = pool;
  const data = encodeFunctionData({
    abi: positionsAbi,
    functionName: "mint",
    args: [
      {
        token0: token0.address,
        token1: token1.address,
        fee,
        tickLower: lower,
        tickUpper: upper,
        amount0Desired: unitsWorth(usd / 2, token0, usdOf),
        amount1Desired: unitsWorth(usd / 2, token1, usdOf),
        amount0Min: 0n,
        amount1Min: 0n,
        recipient: provider.address,
        deadline,
      },
    ],
  });
  return toPositions(provider, data);
}

function collectCall({ id, owner }: Position): Hex {
  return encodeFunctionData({
    abi: positionsAbi,
    functionName: "collect",
    args: [
      { tokenId: id, recipient: owner.address, amount0Max: maxUint128, amount1Max: maxUint128 },
    ],
  });
}

/** Some position of a provider: the first from a place in the list of all. The founder's stay where they are. */
async function findPosition(which: number, desk: Desk): Promise<Position | undefined> {
  const count = Number(
    decodeFunctionResult({
      abi: positionsAbi,
      functionName: "totalSupply",
      data: await desk.call(
        contracts.positions,
        encodeFunctionData({ abi: positionsAbi, functionName: "totalSupply" }),
      ),
    }),
  );
  for (let step = 0; step < count; step++) {
    const id = BigInt(1 + ((Math.floor(which * count) + step) % count));
    const owner = await ownerOf(id, desk);
    if (owner) return { id, owner, liquidity: await liquidityOf(id, desk) };
  }
  return undefined;
}

async function ownerOf(id: bigint, desk: Desk): Promise<Actor | undefined> {
  const call = { abi: positionsAbi, functionName: "ownerOf" } as const;
  const data = await desk.call(contracts.positions, encodeFunctionData({ ...call, args: [id] }));
  const address = decodeFunctionResult({ ...call, data }).toLowerCase();
  return providers.find((provider) => provider.address === address);
}

async function liquidityOf(id: bigint, desk: Desk): Promise<bigint> {
  const call = { abi: positionsAbi, functionName: "positions" } as const;
  const data = await desk.call(contracts.positions, encodeFunctionData({ ...call, args: [id] }));
  return decodeFunctionResult({ ...call, data })[7];
}

function toPositions(from: Actor, data: Hex): Transaction {
  return { from: from.address, to: contracts.positions, data, gas: orderGas };
}
