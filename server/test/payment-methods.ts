import type { BankAccount, Slipway, Wallet } from "@slipway/sdk";
import { getAddress } from "viem";

let count = 0;

/** An EVM address that no other test has. */
export const newAddress = (): string =>
  getAddress(`0x${(++count).toString(16).padStart(8, "0")}${"a7".repeat(16)}`);

/** Registers a wallet that nobody has yet. */
export function newWallet(client: Slipway, blockchain = "base", userId?: string): Promise<Wallet> {
  const wallet = { address: newAddress(), blockchain };
  return client.ramp.wallets.create(userId === undefined ? wallet : { ...wallet, userId });
}

/** Registers a bank account that nobody has yet; the default is of a bank that takes wires and ACH. */
export function newBankAccount(
  client: Slipway,
  {
    routingNumber = "021000021",
    accountNumber = String(5_550_000 + ++count),
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
