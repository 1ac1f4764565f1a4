import type { NewQuote, NewTransaction, Quote, RampType, SettlementMethod } from "@slipway/sdk";

/** What somebody wants to exchange, as far as it is filled in. */
export type OrderDraft = {
  type: RampType;
  settlementMethod: SettlementMethod;
  currency: string;
  blockchain: string;
  amount: string;
  /** Whether the amount is in dollars; otherwise it is in the crypto currency. */
  isInDollars: boolean;
  walletId: string | undefined;
  bankAccountId: string | undefined;
};

/** The quote to ask for; none while there is no amount. */
export function quoteRequest(draft: OrderDraft): NewQuote | undefined {
  const { type, settlementMethod, currency, blockchain, isInDollars } = draft;
  const amount = draft.amount.replaceAll(",", "").trim();
  if (amount === "" || currency === "" || blockchain === "") return undefined;
  const isOfSource = (type === "ON_RAMP") === isInDollars;
  const quantity = isOfSource ? { sourceQuantity: amount } : { destinationQuantity: amount };
  return { type, settlementMethod, currency, blockchain, ...quantity };
}

/** The transaction that a quote becomes. The quote has both quantities, so none is named again. */
export function transactionRequest(
  { id, type, settlementMethod, currency, blockchain, sourceQuantity }: Quote,
  { walletId, bankAccountId }: { walletId: string; bankAccountId: string },
): NewTransaction {
  const wallet = { walletId, blockchain, currency };
  const bank = { bankAccountId, currency: "USD" };
  const [sourceOrder, destinationOrder] = type === "OFF_RAMP" ? [wallet, bank] : [bank, wallet];
  return {
    settlementMethod,
    quoteId: id,
    sourceOrder: { ...sourceOrder, quantity: sourceQuantity },
    destinationOrder,
  };
}

/** The blockchain to go on with when another currency is chosen: the same if it has it. */
export function blockchainFor(blockchains: readonly string[], before: string): string {
  return blockchains.includes(before) ? before : (blockchains[0] ?? "");
}
