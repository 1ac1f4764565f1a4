import { asCents, type Cents } from "../../../lib/money.ts";
import type { RailContext } from "../rail-context.ts";
import type { RailSettings } from "../rail-settings.ts";

/** The bank through which dollars go, what it calls us, and when and how our files leave. */
export type BankProfile = {
  routingNumber: string;
  bankName: string;
  accountNumber: string;
  companyName: string;
  companyId: string;
  /** New York's times at which ACH files are made, such as 17:00. */
  cutOffs: readonly string[];
  /** How many operators have to approve a file of more than so much. */
  approvals: number;
  approvalsAboveCents: Cents;
};

/** What the rails of the bank work with. */
export type BankContext = RailContext & { bank: BankProfile };

/** What the settings say about the bank, without the ways to reach it. */
export function bankProfileOf(settings: NonNullable<RailSettings["bank"]>): BankProfile {
  const { routingNumber, bankName, accountNumber, companyName, companyId } = settings;
  return {
    ...{ routingNumber, bankName, accountNumber, companyName, companyId },
    cutOffs: settings.cutOffs,
    approvals: settings.approvals,
    approvalsAboveCents: asCents(BigInt(settings.approvalsAboveUsd) * 100n),
  };
}
