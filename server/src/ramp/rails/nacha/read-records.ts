import { BadFile } from "../file-exchange.ts";
import { batchControl } from "./batch-control.ts";
import { batchHeader } from "./batch-header.ts";
import { addSums, type ControlSums, sumsOf } from "./control-sums.ts";
import { entryDetail } from "./entry-detail.ts";
import { type Line, recordLength, type ValuesOf } from "./fields.ts";
import { fileControl } from "./file-control.ts";
import { fileHeader } from "./file-header.ts";
import { blockSize, fillingLine } from "./write-records.ts";

/** A record and where it stood. */
type At<Type> = { line: Line; values: ValuesOf<Type> };

/** An entry with the records 7 that follow it. */
export type EntryRecord = At<typeof entryDetail> & { addenda: readonly Line[] };

/** A batch whose end agrees with what stands before it. */
export type BatchRecord = { header: At<typeof batchHeader>; entries: readonly EntryRecord[] };

/** The records of a file, whose counts, sums and repeated fields agree. */
export type FileRecords = {
  lines: readonly Line[];
  header: At<typeof fileHeader>;
  batches: readonly BatchRecord[];
};

/** Lines that are taken one after the other. */
type Queue = {
  /** The next line's first character. */
  kind(): string | undefined;
  take(): Line;
};

/** What came of a batch that is needed to check the end of the file. */
type Checked = {
  batch: BatchRecord;
  sums: ControlSums;
  totalDebit: bigint;
  totalCredit: bigint;
};

/** Reads the records of any file, of ours or of a bank; throws `BadFile` at the first disagreement. */
export function readRecords(bytes: Buffer): FileRecords {
  const lines = linesOf(bytes);
  const queue = queueOf(lines);
  const first = queue.take();
  const header = { line: first, values: fileHeader.read(first) };
  const checked: Checked[] = [];
  while (queue.kind() === "5") checked.push(takeBatch(queue));
  checkEnd(queue.take(), lines, checked);
  return { lines, header, batches: checked.map(({ batch }) => batch) };
}

/** Some banks cut off the blanks with which the first record and the last one end, and the end of the last line. */
function linesOf(bytes: Buffer): Line[] {
  const all = bytes.toString("latin1");
  const texts = all.split(all.includes("\r\n") ? "\r\n" : "\n");
  if (texts.at(-1) === "") texts.pop();
  return texts.map((text, index) => {
    const where = `line ${index + 1}`;
    if (!/^[ -~]*$/.test(text)) throw new BadFile(where, "has a character that is not plain ASCII");
    const record = /^[19].*[^ ]$/.test(text) ? text.padEnd(recordLength) : text;
    if (record.length !== recordLength)
      throw new BadFile(where, `has ${text.length} characters, must have ${recordLength}`);
    return { number: index + 1, text: record };
  });
}

function queueOf(lines: readonly Line[]): Queue {
  let taken = 0;
  return {
    kind: () => lines[taken]?.text[0],
    take() {
      const line = lines[taken++];
      if (!line) throw new BadFile(`line ${taken}`, "is missing: the file breaks off");
      return line;
    },
  };
}

function takeBatch(queue: Queue): Checked {
  const line = queue.take();
  const header = { line, values: batchHeader.read(line) };
  const entries: EntryRecord[] = [];
  do entries.push(takeEntry(queue));
  while (queue.kind() === "6");
  return checkBatch(queue.take(), { header, entries });
}

function takeEntry(queue: Queue): EntryRecord {
  const line = queue.take();
  const values = entryDetail.read(line);
  const addenda: Line[] = [];
  while (queue.kind() === "7") addenda.push(queue.take());
  const indicator = addenda.length > 0 ? "1" : "0";
  if (values.addendaIndicator !== indicator)
    throw entryDetail.fault(line, "addendaIndicator", `"${indicator}"`);
  return { line, values, addenda };
}

/** The end of a batch repeats its beginning and adds up its entries. */
function checkBatch(line: Line, batch: BatchRecord): Checked {
  const { serviceClassCode, companyIdentification, originatingBank, batchNumber } =
    batch.header.values;
  const sums = sumsOf(batch.entries);
  const control = batchControl.read(line);
  const totals = totalsOf(batch, sums.cents, control.totalDebit > 0n);
  batchControl.mustHold(line, {
    serviceClassCode,
    entryAndAddendaCount: sums.count,
    entryHash: sums.hash,
    ...totals,
    companyIdentification,
    originatingBank,
    batchNumber,
  });
  return { batch, sums, ...totals };
}

/** Banks count what comes back of a credit as a credit, and some as a debit. */
function totalsOf({ header }: BatchRecord, cents: bigint, isDebit: boolean) {
  const asDebit = { totalDebit: cents, totalCredit: 0n };
  const asCredit = { totalDebit: 0n, totalCredit: cents };
  switch (header.values.serviceClassCode) {
    case "220":
      return asCredit;
    case "225":
      return asDebit;
    case "200":
      return isDebit ? asDebit : asCredit;
    default:
      throw batchHeader.fault(header.line, "serviceClassCode", "200, 220 or 225");
  }
}

/** The end of a file adds up its batches; only lines of 9s follow, up to the end of a block. */
function checkEnd(line: Line, lines: readonly Line[], checked: readonly Checked[]): void {
  const blockCount = Math.ceil(line.number / blockSize);
  const sums = addSums(checked.map((batch) => batch.sums));
  fileControl.read(line);
  fileControl.mustHold(line, {
    batchCount: BigInt(checked.length),
    blockCount: BigInt(blockCount),
    entryAndAddendaCount: sums.count,
    entryHash: sums.hash,
    totalDebit: checked.reduce((total, { totalDebit }) => total + totalDebit, 0n),
    totalCredit: checked.reduce((total, { totalCredit }) => total + totalCredit, 0n),
  });
  const filling = lines.slice(line.number);
  const other = filling.find(({ text }) => text !== fillingLine);
  if (other) throw new BadFile(`line ${other.number}`, "must hold nothing but 9s");
  if (lines.length !== blockCount * blockSize)
    throw new BadFile(
      `line ${lines.length}`,
      `is the last one, must be line ${blockCount * blockSize}: blocks have ${blockSize} lines`,
    );
}
