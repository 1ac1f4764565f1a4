import { encodeFunctionData, maxUint128 } from "viem";
import { borrowerAbi, poolAbi } from "../contracts/abis.ts";
import type { Transaction } from "../engine.ts";
import { contracts, founder, type Pool } from "../layout.ts";
import { unitsWorth } from "../market/amounts.ts";
import type { Order } from "../market/orders.ts";
import { type Desk, orderGas } from "./desk.ts";
import { collect, openPool, provide, withdraw } from "./positions.ts";
import { swapTransaction } from "./swaps.ts";

/** The transactions that an order takes, in their order. None when there is nothing to do it with. */
export async function carryOut(order: Order, desk: Desk): Promise<Transaction[]> {
  switch (order.kind) {
    case "swap":
    case "swap twice":
    case "route":
    case "hopeless swap":
    case "move price":
      return [swapTransaction(order, desk)];
    case "open pool":
      return openPool(order.pool, desk);
    case "provide":
      return [provide(order, desk)];
    case "withdraw":
      return withdraw(order, desk);
    case "collect":
      return collect(order.which, desk);
    case "flash":
      return [flash(order, desk)];
    case "set protocol fee":
      return [setProtocolFee(order)];
    case "collect protocol fee":
      return [collectProtocolFee(order.pool)];
  }
}

function flash(order: Extract<Order, { kind: "flash" }>, { usdOf }: Desk): Transaction {
  const { trader, pool, usd0, usd1 } = order;
  const data = encodeFunctionData({
    abi: borrowerAbi,
    functionName: "borrow",
    args: [
      pool.address,
      unitsWorth(usd0, pool.token0, usdOf),
      unitsWorth(usd1, pool.token1, usdOf),
    ],
  });
  return { from: trader.address, to: contracts.borrower, data, gas: orderGas };
}

function setProtocolFee(order: Extract<Order, { kind: "set protocol fee" }>): Transaction {
  const { pool, fee0, fee1 } = order;
  const data = encodeFunctionData({
    abi: poolAbi,
    functionName: "setFeeProtocol",
    args: [fee0, fee1],
  });
  return { from: founder.address, to: pool.address, data, gas: orderGas };
}

function collectProtocolFee({ address }: Pool): Transaction {
  const data = encodeFunctionData({
    abi: poolAbi,
    functionName: "collectProtocol",
    args: [founder.address, maxUint128, maxUint128],
  });
  return { from: founder.address, to: address, data, gas: orderGas };
}
