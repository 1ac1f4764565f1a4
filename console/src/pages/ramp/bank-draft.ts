import type { NewBankAccount } from "@slipway/sdk";

/** The fields of a bank account, as far as they are filled in. */
export type BankDraft = {
  routingNumber: string;
  accountNumber: string;
  accountType: "checking" | "savings";
  fullName: string;
  line1: string;
  line2: string;
  city: string;
  province: string;
  postalCode: string;
  country: string;
  phone: string;
};

export const emptyBank: BankDraft = {
  routingNumber: "",
  accountNumber: "",
  accountType: "checking",
  fullName: "",
  line1: "",
  line2: "",
  city: "",
  province: "",
  postalCode: "",
  country: "United States",
  phone: "",
};

/** An account that works in the sandbox; `distinct` makes its number another one each time. */
export function exampleBank(distinct: number): BankDraft {
  return {
    ...emptyBank,
    routingNumber: "021000021",
    // No ending of these means anything to the sandbox's bank.
    accountNumber: `${String(distinct).slice(-8).padStart(8, "0")}11`,
    fullName: "Sandbox Master",
    line1: "1 Main Street",
    city: "New York",
    province: "NY",
    postalCode: "10001",
    phone: "+1 212 555 0123",
  };
}

/** The account as the API takes it. */
export function bankRequest(draft: BankDraft): NewBankAccount {
  const { routingNumber, accountNumber, accountType, line2, ...billingDetails } = draft;
  return {
    routingNumber: routingNumber.trim(),
    accountNumber: accountNumber.trim(),
    accountType,
    billingDetails: { ...billingDetails, line2: line2.trim() === "" ? null : line2 },
  };
}

/** What tells an account from others: the end of its number. */
export function accountEnd(accountNumber: string): string {
  return `…${accountNumber.slice(-4)}`;
}
