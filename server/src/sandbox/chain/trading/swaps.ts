import { encodeFunctionData, encodePacked, maxUint256 } from "viem";
import type { Hex } from "../../../chains/hex.ts";
import { assert } from "../../../lib/errors.ts";
import { routerAbi } from "../contracts/abis.ts";
import type { Transaction } from "../engine.ts";
import { type Actor, contracts, type Pool, type Token } from "../layout.ts";
import { sqrtPriceX96Of, unitsWorth } from "../market/amounts.ts";
import type { Order, Side } from "../market/orders.ts";
import { type Desk, deadline, orderGas } from "./desk.ts";

type SwapOrder = Extract<
  Order,
  { kind: "swap" | "swap twice" | "route" | "hopeless swap" | "move price" }
>;

/** The part that comes back in a swap there and back. */
const backPart = 0.4;

/** The call of the exchange's router that a swap is. */
export function swapTransaction(order: SwapOrder, desk: Desk): Transaction {
  return {
    from: order.trader.address,
    to: contracts.router,
    data: swapCall(order, desk),
    gas: orderGas,
  };
}

function swapCall(order: SwapOrder, desk: Desk): Hex {
  switch (order.kind) {
    case "swap":
      return order.exact === "input" ? exactInput(order, desk) : exactOutput(order, desk);
    case "hopeless swap":
      return exactInput({ ...order, atLeast: maxUint256 }, desk);
    case "move price":
      // The limit ends the swap long before all of this is spent.
      return exactInput({ ...order, usd: order.pool.depthUsd * 20, limit: order.price }, desk);
    case "swap twice": {
      const back = { ...order, side: otherSide(order.side), usd: order.usd * backPart };
      return encodeFunctionData({
        abi: routerAbi,
        functionName: "multicall",
        args: [[exactInput(order, desk), exactInput(back, desk)]],
      });
    }
    case "route":
      return routeCall(order, desk);
  }
}

type Swap = { trader: Actor; pool: Pool; side: Side; usd: number };

function exactInput(swap: Swap & { atLeast?: bigint; limit?: number }, { usdOf }: Desk): Hex {
  const { trader, pool, usd, atLeast = 0n, limit } = swap;
  const { tokenIn, tokenOut } = directionOf(swap);
  return encodeFunctionData({
    abi: routerAbi,
    functionName: "exactInputSingle",
    args: [
      {
        tokenIn: tokenIn.address,
        tokenOut: tokenOut.address,
        fee: pool.fee,
        recipient: trader.address,
        deadline,
        amountIn: unitsWorth(usd, tokenIn, usdOf),
        amountOutMinimum: atLeast,
        sqrtPriceLimitX96: limit === undefined ? 0n : sqrtPriceX96Of(limit),
      },
    ],
  });
}

function exactOutput(swap: Swap, { usdOf }: Desk): Hex {
  const { trader, pool, usd } = swap;
  const { tokenIn, tokenOut } = directionOf(swap);
  return encodeFunctionData({
    abi: routerAbi,
    functionName: "exactOutputSingle",
    args: [
      {
        tokenIn: tokenIn.address,
        tokenOut: tokenOut.address,
        fee: pool.fee,
        recipient: trader.address,
        deadline,
        amountOut: unitsWorth(usd, tokenOut, usdOf),
        amountInMaximum: maxUint256,
        sqrtPriceLimitX96: 0n,
      },
    ],
  });
}

function routeCall(order: Extract<Order, { kind: "route" }>, { usdOf }: Desk): Hex {
  const { trader, first, second, usd } = order;
  const middle = [first.token0, first.token1].find(
    (token) => token === second.token0 || token === second.token1,
  );
  assert(middle, "the two pools of a route have a token in common");
  const tokenIn = otherToken(first, middle);
  const path = encodePacked(
    ["address", "uint24", "address", "uint24", "address"],
    [tokenIn.address, first.fee, middle.address, second.fee, otherToken(second, middle).address],
  );
  return encodeFunctionData({
    abi: routerAbi,
    functionName: "exactInput",
    args: [
      {
        path,
        recipient: trader.address,
        deadline,
        amountIn: unitsWorth(usd, tokenIn, usdOf),
        amountOutMinimum: 0n,
      },
    ],
  });
}

function directionOf({ pool, side }: Swap): { tokenIn: Token; tokenOut: Token } {
  const { token0, token1 } = pool;
  return side === "sell0"
    ? { tokenIn: token0, tokenOut: token1 }
    : { tokenIn: token1, tokenOut: token0 };
}

function otherSide(side: Side): Side {
  return side === "sell0" ? "sell1" : "sell0";
}

function otherToken({ token0, token1 }: Pool, token: Token): Token {
  return token === token0 ? token1 : token0;
}
