import { asCents } from "../../../lib/money.ts";
import { type BankProfile, bankProfileOf } from "../../../ramp/rails/bank/bank-profile.ts";
import type { RailSettings } from "../../../ramp/rails/rail-settings.ts";

/** The bank of the sandbox, and what it calls us. */
export const sandboxBank: BankProfile = {
  routingNumber: "091000019",
  bankName: "Sandbox Bank",
  accountNumber: "000123456789",
  companyName: "Slipway Sandbox",
  companyId: "1234567890",
  cutOffs: ["17:00"],
  approvals: 0,
  approvalsAboveCents: asCents(0n),
};

/** The account from which all wires come. */
export const senderAccount = { routingNumber: "021000021", accountNumber: "400011112222" };

/** The sandbox's bank, with the approvals that the settings ask for: they can be tried out here. */
export function sandboxBankOf(settings: RailSettings["bank"]): BankProfile {
  if (!settings) return sandboxBank;
  const { approvals, approvalsAboveCents } = bankProfileOf(settings);
  return { ...sandboxBank, approvals, approvalsAboveCents };
}
