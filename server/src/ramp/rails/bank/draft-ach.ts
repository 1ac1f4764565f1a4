import { isDeepStrictEqual } from "node:util";
import type { Transaction } from "../../../database/database.ts";
import { newYorkDay } from "../../../lib/calendar.ts";
import { asCents, type Cents } from "../../../lib/money.ts";
import { loadCalendar } from "../../store/calendars.ts";
import type { AchBatch, AchEntry, AchFile } from "../nacha/ach-file.ts";
import { readAchFile } from "../nacha/read-file.ts";
import { achText } from "../nacha/text.ts";
import { writeAchFile } from "../nacha/write-file.ts";
import type { DueEntry } from "../store/bank-entries.ts";
import { countSentFiles } from "../store/bank-files.ts";
import type { BankProfile } from "./bank-profile.ts";
import { achSettlement, newYorkClock } from "./file-times.ts";
import type { Draft } from "./out-files.ts";

const modifiers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** The most that the sum of a file has room for: twelve digits. */
const fileCentsMost = 9_999_999_999_99n;

/** Writes the ACH file of `at` with as many of the entries as it has room for. */
export async function draftAchFile(
  tx: Transaction,
  bank: BankProfile,
  due: readonly DueEntry<"ach">[],
  at: number,
): Promise<Draft> {
  const createdOn = newYorkDay(at);
  const prefix = `slipway-ach-${createdOn.replaceAll("-", "")}-`;
  const modifier = modifiers[await countSentFiles(tx, prefix)];
  if (!modifier) throw new Error(`a day has ${modifiers.length} files at most`);
  const settlement = achSettlement(await loadCalendar(tx, "ACH"), at);
  const entries = thatFit(due);
  const batches = batchesOf(bank, entries, settlement.on);
  const times = { createdOn, createdAt: newYorkClock(at).slice(0, 5), modifier };
  const file: AchFile = { ...partiesOf(bank), ...times, batches };
  const content = writeAchFile(file);
  const written = readAchFile(content);
  if (!isDeepStrictEqual(written, file)) throw new Error("it reads otherwise than it was meant");
  return {
    format: "nacha",
    name: `${prefix}${modifier}.ach`,
    content,
    payoutIds: entries.map(({ payoutId }) => payoutId),
    cents: sumOf(written.batches.flatMap((batch) => batch.entries)),
    settleAt: new Date(settlement.at),
  };
}

function partiesOf(bank: BankProfile): Pick<AchFile, "destination" | "origin"> {
  return {
    destination: { routingNumber: bank.routingNumber, name: achText(bank.bankName, 23) },
    origin: { id: bank.companyId, name: achText(bank.companyName, 23) },
  };
}

/** One batch for each class of entries and each text that receivers read. */
function batchesOf(
  bank: BankProfile,
  entries: readonly DueEntry<"ach">[],
  effectiveOn: string,
): AchBatch[] {
  const batches = new Map<string, AchBatch & { entries: AchEntry[] }>();
  const inOrder = entries.toSorted((one, other) => (one.trace < other.trace ? -1 : 1));
  for (const entry of inOrder) {
    const entryClass = entry.order.isBusiness ? "CCD" : "PPD";
    const description = achText(entry.order.memo, 10);
    const name = `${entryClass} ${description}`;
    const batch = batches.get(name) ?? {
      ...{ entryClass, description, effectiveOn, companyId: bank.companyId },
      companyName: achText(bank.companyName, 16),
      originator: bank.routingNumber.slice(0, 8),
      entries: [],
    };
    batch.entries.push(achEntryOf(entry));
    batches.set(name, batch);
  }
  return [...batches.values()];
}

function achEntryOf({ payoutId, trace, cents, order }: DueEntry<"ach">): AchEntry {
  const { accountType, routingNumber, accountNumber, holderName } = order;
  return {
    ...{ trace, accountType, routingNumber, cents },
    accountNumber: accountNumber.toUpperCase(),
    identification: payoutId.slice("pay-".length),
    name: achText(holderName, 22),
  };
}

/** The first entries, up to the sum that a file has room for. */
function thatFit(due: readonly DueEntry<"ach">[]): DueEntry<"ach">[] {
  let sum = 0n;
  return due.filter(({ cents }) => {
    sum += cents;
    return sum <= fileCentsMost;
  });
}

function sumOf(entries: readonly { cents: Cents }[]): Cents {
  return asCents(entries.reduce((sum, { cents }) => sum + cents, 0n));
}
