import type { Transaction } from "../../../database/database.ts";
import { asCents, type Cents } from "../../../lib/money.ts";
import { BadFile } from "../file-exchange.ts";
import { type BankFile, findSentFile } from "../store/bank-files.ts";
import type { BankContext } from "./bank-profile.ts";
import { acceptFile, rejectFile } from "./file-news.ts";
import type { Reading } from "./reading.ts";

/** How the name of an acknowledgement ends; before it stands the name of our file. */
export const acknowledgementEnding = ".ack";

type Acknowledgement = {
  file: string;
  sha256: string | null;
  status: "accepted" | "rejected";
  entries: number | null;
  cents: Cents | null;
  reason: string | null;
};

/**
 * Reads a bank's answer to a file of ours, which lies beside its other files as `<name of our file>.ack`:
 *
 *     file: ACH-20261116-A.txt
 *     sha256: 64 hexadecimal digits
 *     status: accepted
 *     entries: 12
 *     cents: 1234500
 *     reason: why not
 *
 * Lines may stand in any order. `sha256` may be left out; `entries` and `cents` are needed when it is accepted, and
 * `reason` is when it is rejected. Totals that are not ours are an error: nobody knows then what was accepted.
 */
export async function readAcknowledgement(
  tx: Transaction,
  context: BankContext,
  { name, bytes }: { name: string; bytes: Buffer },
): Promise<Reading> {
  const said = parse(bytes);
  if (`${said.file}${acknowledgementEnding}` !== name)
    throw new BadFile("file", `names another file than ${name} is for`);
  const file = await findSentFile(tx, said.file);
  if (!file) throw new BadFile("file", "names a file that we have not made");
  checkTotals(said, file);
  return {
    format: "acknowledgement",
    entries: said.entries ?? 0,
    cents: said.cents ?? asCents(0n),
    take: (taking) =>
      said.status === "accepted"
        ? acceptFile(taking, context, file)
        : rejectFile(taking, context, file, said.reason ?? "the bank rejected the file"),
  };
}

function checkTotals({ sha256, status, entries, cents }: Acknowledgement, file: BankFile): void {
  if (sha256 !== null && sha256 !== file.sha256.toString("hex"))
    throw new BadFile("sha256", "is not that of our file");
  const isOptional = status === "rejected";
  if (!(isOptional && entries === null) && entries !== file.entries)
    throw new BadFile("entries", `must be ${file.entries}, as in our file`);
  if (!(isOptional && cents === null) && cents !== file.cents)
    throw new BadFile("cents", `must be ${file.cents}, as in our file`);
}

const lineForm = /^([a-z0-9]+): (\P{Cc}*)$/u;
const linesMost = 100;
const reasonLengthMost = 200;

function parse(bytes: Buffer): Acknowledgement {
  const fields = fieldsIn(bytes);
  const entries = countIn(fields, "entries");
  const cents = countIn(fields, "cents");
  return {
    file: fields.get("file") ?? "",
    sha256: fields.get("sha256")?.toLowerCase() ?? null,
    status: statusIn(fields),
    entries: entries === null ? null : Number(entries),
    cents: cents === null ? null : asCents(cents),
    reason: fields.get("reason")?.slice(0, reasonLengthMost) || null,
  };
}

function fieldsIn(bytes: Buffer): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const lines = bytes.toString("utf8").trimEnd().split(/\r?\n/);
  if (lines.length > linesMost) throw new BadFile("the file", "has too many lines");
  for (const [index, line] of lines.entries()) {
    const [, key, value] = lineForm.exec(line) ?? [];
    if (key === undefined || value === undefined)
      throw new BadFile(`line ${index + 1}`, "must be a word, a colon, a space and a value");
    if (fields.has(key)) throw new BadFile(`line ${index + 1}`, `says ${key} a second time`);
    fields.set(key, value.trim());
  }
  return fields;
}

function statusIn(fields: ReadonlyMap<string, string>): Acknowledgement["status"] {
  const status = fields.get("status");
  if (status === "accepted" || status === "rejected") return status;
  throw new BadFile("status", "must be accepted or rejected");
}

function countIn(fields: ReadonlyMap<string, string>, key: string): bigint | null {
  const text = fields.get(key);
  if (text === undefined) return null;
  if (!/^\d{1,15}$/.test(text)) throw new BadFile(key, "must be a whole number");
  return BigInt(text);
}
