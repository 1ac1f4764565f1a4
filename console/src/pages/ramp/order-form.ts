import type { RampType } from "@slipway/sdk";
import { type BankDraft, emptyBank } from "./bank-draft.ts";
import type { OrderDraft } from "./order-draft.ts";

/** Everything that is filled in on the way to an order. It is kept when somebody goes back. */
export type OrderForm = OrderDraft & {
  /** Of a new wallet. */
  address: string;
  /** A new bank account. */
  bank: BankDraft;
};

/** What a form begins with: an example, so that a price is there at once. */
export function newOrderForm(type: RampType): OrderForm {
  const isPurchase = type === "ON_RAMP";
  return {
    type,
    settlementMethod: isPurchase ? "WIRE" : "ACH",
    currency: "USDC",
    blockchain: "base",
    amount: isPurchase ? "500" : "100",
    isInDollars: isPurchase,
    walletId: undefined,
    bankAccountId: undefined,
    address: "",
    bank: emptyBank,
  };
}
