import type { BankAccount, NewBankAccount, NewWallet, Wallet } from "@slipway/sdk";
import type { UseMutationResult, UseQueryResult } from "@tanstack/react-query";
import { useAnswer, useOrder } from "../../session/use-answer.ts";

/** The account's wallets, newest first. */
export function useWallets(): UseQueryResult<Wallet[]> {
  return useAnswer({
    key: ["ramp", "wallets"],
    ask: async (client) => byAge(await client.ramp.wallets.list()),
  });
}

/** The account's bank accounts, newest first. */
export function useBankAccounts(): UseQueryResult<BankAccount[]> {
  return useAnswer({
    key: ["ramp", "bank accounts"],
    ask: async (client) => byAge(await client.ramp.bankAccounts.list()),
  });
}

/** Registers a wallet. */
export function useNewWallet(): UseMutationResult<Wallet, Error, NewWallet> {
  return useOrder({
    send: (client, wallet: NewWallet) => client.ramp.wallets.create(wallet),
    changes: [["ramp", "wallets"]],
  });
}

/** Registers a bank account. */
export function useNewBankAccount(): UseMutationResult<BankAccount, Error, NewBankAccount> {
  return useOrder({
    send: (client, account: NewBankAccount) => client.ramp.bankAccounts.create(account),
    changes: [["ramp", "bank accounts"]],
  });
}

function byAge<Method extends { createdAt: string }>(methods: readonly Method[]): Method[] {
  return [...methods].sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
}
