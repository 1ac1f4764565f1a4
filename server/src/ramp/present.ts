import type {
  CreatedSellBuyTransaction,
  CreatedTransaction,
  RampOrder,
  RampTransaction,
  SellBuyOrder,
  SellBuyTransaction,
} from "@slipway/sdk";
import { formatCents, formatDecimal, formatPrice } from "../lib/money.ts";
import { timestamp } from "../lib/timestamp.ts";
import type { Ramp } from "./transaction.ts";

/** A transaction as customers see it. Its fields stand in the order in which every answer and event has them. */
export function presentTransaction(ramp: Ramp): RampTransaction {
  const { source, destination } = ordersOf(ramp);
  return {
    id: ramp.id,
    type: ramp.type,
    settlementMethod: ramp.settlementMethod,
    priceUsd: priceOf(ramp),
    feeUsd: formatCents(ramp.feeCents),
    ...timesOf(ramp),
    userId: ramp.userId,
    sourceOrder: source,
    destinationOrder: destination,
  };
}

/** The answer to a create: it also says where the crypto goes. */
export function presentCreated(ramp: Ramp): CreatedTransaction {
  const transaction = presentTransaction(ramp);
  return {
    ...transaction,
    destinationOrder: { ...transaction.destinationOrder, walletAddress: addressOf(ramp) },
  };
}

/** The same transaction in the older shape. */
export function presentSellBuy(ramp: Ramp): SellBuyTransaction {
  const { source, destination } = ordersOf(ramp);
  return {
    id: ramp.id,
    type: ramp.type,
    ...timesOf(ramp),
    sellOrder: withPriceAndFee(ramp, source),
    buyOrder: withPriceAndFee(ramp, destination),
  };
}

/** The answer to a create in the older shape. */
export function presentCreatedSellBuy(ramp: Ramp): CreatedSellBuyTransaction {
  const transaction = presentSellBuy(ramp);
  return {
    ...transaction,
    buyOrder: { ...transaction.buyOrder, walletAddress: addressOf(ramp) },
  };
}

/** A time of a transaction as answers show it. */
export function presentTime(at: number): string {
  return timestamp(new Date(at));
}

function ordersOf(ramp: Ramp): { source: RampOrder; destination: RampOrder } {
  const [walletOrderId, bankOrderId] =
    ramp.type === "OFF_RAMP"
      ? [ramp.sourceOrderId, ramp.destinationOrderId]
      : [ramp.destinationOrderId, ramp.sourceOrderId];
  const times = { createdAt: presentTime(ramp.createdAt), updatedAt: presentTime(ramp.updatedAt) };
  const { units, cents, token } = ramp;
  const walletSide: RampOrder = {
    id: walletOrderId,
    bankAccountId: null,
    blockchain: token.blockchain,
    currency: token.symbol,
    quantity: units === null ? null : formatDecimal(units, token.decimals),
    walletId: ramp.walletId,
    ...times,
  };
  const bankSide: RampOrder = {
    id: bankOrderId,
    bankAccountId: ramp.bankAccountId,
    blockchain: null,
    currency: "USD",
    quantity: cents === null ? null : formatCents(cents),
    walletId: null,
    ...times,
  };
  return ramp.type === "OFF_RAMP"
    ? { source: walletSide, destination: bankSide }
    : { source: bankSide, destination: walletSide };
}

/** Price with the crypto, fee with the money: so nobody counts either twice. */
function withPriceAndFee(ramp: Ramp, order: RampOrder): SellBuyOrder {
  const isWalletSide = order.walletId !== null;
  return {
    ...order,
    feeUsd: isWalletSide ? null : formatCents(ramp.feeCents),
    priceUsd: isWalletSide ? priceOf(ramp) : null,
  };
}

function priceOf({ priceE18 }: Ramp): string | null {
  return priceE18 === null ? null : formatPrice(priceE18);
}

/** Where the crypto arrives, or where it is to be sent to. */
function addressOf(ramp: Ramp): string {
  return ramp.type === "ON_RAMP" ? ramp.walletAddress : ramp.depositAddress;
}

function timesOf({ createdAt, flaggedAt, completedAt, updatedAt }: Ramp) {
  return {
    createdAt: presentTime(createdAt),
    flaggedAt: flaggedAt === null ? null : presentTime(flaggedAt),
    completedAt: completedAt === null ? null : presentTime(completedAt),
    updatedAt: presentTime(updatedAt),
  };
}
