import type { Transaction } from "../../../database/database.ts";
import { asCents } from "../../../lib/money.ts";
import { readPacs002 } from "../iso20022/pacs002.ts";
import { readPain002 } from "../iso20022/pain002.ts";
import type { WireGroupStatus, WireStatus, WireStatusReport } from "../iso20022/wire-file.ts";
import { findEntryByTrace, listEntriesOf } from "../store/bank-entries.ts";
import { type BankFile, findBankFile } from "../store/bank-files.ts";
import { noteNetworkReference } from "../store/network-references.ts";
import type { BankContext } from "./bank-profile.ts";
import { hearOfEntry } from "./entry-news.ts";
import { acceptFile, rejectFile } from "./file-news.ts";
import { joined, nothingTold, problem, type Reading, type Told, tellInOrder } from "./reading.ts";

const readers = { "pacs.002": readPacs002, "pain.002": readPain002 } as const;

/** Reads a report on wires that we sent: gone out, still on their way, or not taken. */
export function readStatuses(
  context: BankContext,
  format: keyof typeof readers,
  bytes: Buffer,
): Reading {
  const report = readers[format](bytes);
  return {
    format,
    entries: report.statuses.length,
    cents: asCents(0n),
    async take(tx) {
      const single = await tellInOrder(report.statuses, (each) => hearStatus(tx, context, each));
      return joined([single, await hearOfFile(tx, context, report)]);
    },
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
      const why = reason ?? rejection(code);
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

const rejection = (code: string) => `the bank rejected it (${code})`;

/** A report on a file names it by its id. What is said of one wire goes before what is said of all. */
async function hearOfFile(
  tx: Transaction,
  context: BankContext,
  { originalMessageId, group, statuses }: WireStatusReport,
): Promise<Told> {
  const file = await findBankFile(tx, originalMessageId);
  if (file?.format !== "pain.001")
    return problem(`${originalMessageId} is answered, but is no file of wires of ours`);
  const spokenOf = new Set(statuses.map(({ endToEndId }) => endToEndId));
  if (group?.outcome === "rejected") {
    const why = group.reason ?? rejection(group.code);
    return rejectFile(tx, context, file, why, spokenOf);
  }
  // That single wires are rejected says nothing about the file, which the bank has read.
  const accepted = file.state === "rejected" ? nothingTold : await acceptFile(tx, context, file);
  return joined([accepted, await hearOfOthers(tx, context, file, group, spokenOf)]);
}

/** Wires of which only the whole file is spoken. */
async function hearOfOthers(
  tx: Transaction,
  context: BankContext,
  file: BankFile,
  group: WireGroupStatus | undefined,
  spokenOf: ReadonlySet<string>,
): Promise<Told> {
  if (group?.outcome !== "settled") return nothingTold;
  const others = (await listEntriesOf(tx, file.id)).filter(({ trace }) => !spokenOf.has(trace));
  return tellInOrder(others, ({ trace }) =>
    hearOfEntry(tx, context, trace, { outcome: "settled", networkReference: null }),
  );
}
