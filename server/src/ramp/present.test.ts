import { expect, test } from "vitest";
import { createdAt, day, newPurchase, newSale } from "../../test/ramp-scene.ts";
import {
  presentCreated,
  presentCreatedSellBuy,
  presentSellBuy,
  presentTransaction,
} from "./present.ts";

const times = { createdAt: "2026-11-13T15:00:00.000", updatedAt: "2026-11-13T15:00:00.000" };
const walletSide = {
  bankAccountId: null,
  blockchain: "base",
  currency: "TOK",
  walletId: "wal-1",
  ...times,
};
const bankSide = {
  bankAccountId: "bac-1",
  blockchain: null,
  currency: "USD",
  walletId: null,
  ...times,
};

test("a sale's source is the wallet, and its destination the bank account", () => {
  const { id, type, settlementMethod, userId } = newSale();
  const order = { ...bankSide, id: "ord-2", quantity: "5.00" };
  const transaction = {
    id,
    type,
    settlementMethod,
    priceUsd: "3",
    feeUsd: "25.00",
    ...times,
    flaggedAt: null,
    completedAt: null,
    userId,
    sourceOrder: { ...walletSide, id: "ord-1", quantity: "10.0001" },
    destinationOrder: order,
  };
  expect(presentTransaction(newSale())).toEqual(transaction);
  expect(presentCreated(newSale())).toEqual({
    ...transaction,
    destinationOrder: { ...order, walletAddress: "0xDec1de" },
  });
});

test("a purchase is the other way round, and what it buys may not be known yet", () => {
  const ramp = newPurchase({ flaggedAt: createdAt + day, completedAt: createdAt + 1 });
  expect(presentCreated(ramp)).toMatchObject({
    flaggedAt: "2026-11-14T15:00:00.000",
    completedAt: "2026-11-13T15:00:00.001",
    sourceOrder: { ...bankSide, id: "ord-1", quantity: "100.01" },
    destinationOrder: { ...walletSide, id: "ord-2", quantity: null, walletAddress: "0xC0ffee" },
  });
  expect(presentTransaction(newPurchase({ priceE18: null, cents: null }))).toMatchObject({
    priceUsd: null,
    sourceOrder: { quantity: null },
  });
});

test("in the older shape the price stands with the crypto and the fee with the money", () => {
  expect(presentSellBuy(newSale())).toMatchObject({
    sellOrder: { ...walletSide, priceUsd: "3", feeUsd: null },
    buyOrder: { ...bankSide, priceUsd: null, feeUsd: "25.00" },
  });
  expect(presentCreatedSellBuy(newPurchase())).toMatchObject({
    sellOrder: { ...bankSide, priceUsd: null, feeUsd: "0.00" },
    buyOrder: { ...walletSide, priceUsd: "2990", feeUsd: null, walletAddress: "0xC0ffee" },
  });
});
