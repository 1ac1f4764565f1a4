import { isDeepStrictEqual } from "node:util";
import type { Transaction } from "../../../database/database.ts";
import { newYorkDay, sendDay } from "../../../lib/calendar.ts";
import { asCents } from "../../../lib/money.ts";
import { loadCalendar } from "../../store/calendars.ts";
import { readPain001, writePain001 } from "../iso20022/pain001.ts";
import { wireText } from "../iso20022/text.ts";
import type { WireFile, WireOrder, WireParty } from "../iso20022/wire-file.ts";
import type { DueEntry } from "../store/bank-entries.ts";
import { countSentFiles } from "../store/bank-files.ts";
import type { BankProfile } from "./bank-profile.ts";
import { newYorkClock } from "./file-times.ts";
import type { Draft } from "./out-files.ts";

/** Writes the file with these wires. Its message id is the file's own, so that answers lead back to it. */
export async function draftWireFile(
  tx: Transaction,
  bank: BankProfile,
  due: readonly DueEntry<"wire">[],
  { fileId, at }: { fileId: string; at: number },
): Promise<Draft> {
  const moment = `${newYorkDay(at)}-${newYorkClock(at)}`.replaceAll(/-(?=\d\d-)|:/g, "");
  const prefix = `slipway-wire-${moment}-`;
  const { companyName: name, routingNumber, accountNumber } = bank;
  const file: WireFile = {
    messageId: fileId,
    createdAt: new Date(at).toISOString(),
    executionOn: sendDay(await loadCalendar(tx, "WIRE"), at),
    debtor: tidied({ name, routingNumber, accountNumber }),
    orders: due.map(wireOrderOf),
  };
  const content = writePain001(file);
  const written = readPain001(content);
  if (!isDeepStrictEqual(written, file)) throw new Error("it reads otherwise than it was meant");
  return {
    format: "pain.001",
    name: `${prefix}${1 + (await countSentFiles(tx, prefix))}.xml`,
    content,
    payoutIds: due.map(({ payoutId }) => payoutId),
    cents: asCents(written.orders.reduce((sum, { cents }) => sum + cents, 0n)),
    settleAt: null,
  };
}

function wireOrderOf({ payoutId, cents, order }: DueEntry<"wire">): WireOrder {
  return {
    ...{ endToEndId: payoutId, cents },
    creditor: tidied(order.creditor),
    remittance: wireText(order.remittance, 140),
  };
}

function tidied({ name, ...account }: WireParty): WireParty {
  return { name: wireText(name, 140), ...account };
}
