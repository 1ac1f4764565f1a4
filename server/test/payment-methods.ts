import type { BankAccount, Slipway, Wallet } from "@slipway/sdk";
import { getAddress } from "viem";

let count = 0;

/** An EVM address that no other test has. */
const newAddress = (): string =>
  getAddress(`0x${(++count).toString(16).padStart(8, "0")}${"a7".repeat(16)}`);

/** Registers a wallet that nobody has yet. */
export function newWallet(client: Slipway, blockchain = "base", userId?: string): Promise<Wallet> {
  const wallet = { address: newAddress(), blockchain };
  return client.ramp.wallets.create(userId === undefined ? wallet : { ...wallet, userId });
}

/** Registers a bank account that nobody has yet; by default one that can be paid in every way. */
export function newBankAccount(
  client: Slipway,
  {
    routingNumber = "021000021",
    accountNumber = `${55_000 + ++count}1111`,
    fullName = "Sandbox Master",
    userId,
  }: { routingNumber?: string; accountNumber?: string; fullName?: string; userId?: string } = {},
): Promise<BankAccount> {
  return client.ramp.bankAccounts.create({
    routingNumber,
    accountNumber,
    billingDetails: {
      city: "New York",
      country: "US",
      line1: "1 Harbour Street",
      province: "NY",
      fullName,
      phone: "+12125550123",
      postalCode: "10001",
    },
    ...(userId === undefined ? {} : { userId }),
  });
}

/** The wallet and bank account that a transaction is about. */
export type Methods = { wallet: { id: string }; bankAccount: { id: string } };
type Fields = Record<string, unknown>;

/** The body of a sale of 100 USDC on Base, with other fields where they are given. */
export function saleBody(
  { wallet, bankAccount }: Methods,
  source: Fields = {},
  destination: Fields = {},
  settlementMethod = "ACH",
) {
  return {
    settlementMethod,
    sourceOrder: {
      walletId: wallet.id,
      blockchain: "base",
      currency: "USDC",
      quantity: "100",
      ...source,
    },
    destinationOrder: { bankAccountId: bankAccount.id, currency: "USD", ...destination },
  };
}

/** The body of a purchase of USDC on Base for 250.50 dollars, with other fields where they are given. */
export function purchaseBody(
  { wallet, bankAccount }: Methods,
  source: Fields = {},
  destination: Fields = {},
) {
  return {
    settlementMethod: "WIRE",
    sourceOrder: { bankAccountId: bankAccount.id, currency: "USD", quantity: "250.5", ...source },
    destinationOrder: { walletId: wallet.id, blockchain: "base", currency: "USDC", ...destination },
  };
}
