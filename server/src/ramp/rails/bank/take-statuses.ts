import type { Transaction } from "../../../database/database.ts";
import { asCents } from "../../../lib/money.ts";
import { readPacs002 } from "../iso20022/pacs002.ts";
import type { WireStatus } from "../iso20022/wire-file.ts";
import { findEntryByTrace } from "../store/bank-entries.ts";
import { noteNetworkReference } from "../store/network-references.ts";
import type { BankContext } from "./bank-profile.ts";
import { hearOfEntry } from "./entry-news.ts";
import { nothingTold, problem, type Reading, type Told, tellInOrder } from "./reading.ts";

/** Reads a report on wires that we sent: gone out, still on their way, or not taken. */
export function readStatuses(context: BankContext, bytes: Buffer): Reading {
  const { statuses } = readPacs002(bytes);
  return {
    format: "pacs.002",
    entries: statuses.length,
    cents: asCents(0n),
    take: (tx) => tellInOrder(statuses, (status) => hearStatus(tx, context, status)),
  };
}

async function hearStatus(
  tx: Transaction,
  context: BankContext,
  { endToEndId, outcome, code, reason, networkReference }: WireStatus,
): Promise<Told> {
  switch (outcome) {
    case "settled":
      return hearOfEntry(tx, context, endToEndId, { outcome, networkReference });
    case "rejected": {
      const why = reason ?? `the bank rejected it (${code})`;
      return hearOfEntry(tx, context, endToEndId, { outcome: "failed", why });
    }
    case "pending": {
      const entry = await findEntryByTrace(tx, endToEndId);
      if (!entry) return problem(`${endToEndId} is no payment of ours`);
      const at = new Date(context.clock.now());
      if (networkReference) await noteNetworkReference(tx, entry.payoutId, networkReference, at);
      return nothingTold;
    }
  }
}
