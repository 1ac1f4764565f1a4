import { batchControl } from "./batch-control.ts";
import { batchHeader } from "./batch-header.ts";
import { addSums, sumsOf } from "./control-sums.ts";
import { entryDetail } from "./entry-detail.ts";
import { recordLength, type ValuesOf } from "./fields.ts";
import { fileControl } from "./file-control.ts";
import { fileHeader } from "./file-header.ts";

/** How many records a block has; the last one is filled up. */
export const blockSize = 10;

/** What fills the last block. */
export const fillingLine = "9".repeat(recordLength);

/** A batch to write: its number and its end follow from the rest. Its entries are credits, or credits that came back. */
type BatchToWrite = {
  header: Omit<ValuesOf<typeof batchHeader>, "batchNumber" | "serviceClassCode">;
  entries: readonly {
    values: Omit<ValuesOf<typeof entryDetail>, "addendaIndicator">;
    addenda: readonly string[];
  }[];
};

/** Writes the records of a file, with everything that has to be counted and added up. */
export function writeRecords(
  header: ValuesOf<typeof fileHeader>,
  batches: readonly BatchToWrite[],
): Buffer {
  const lines = [fileHeader.write(header), ...batches.flatMap(batchLines)];
  const blockCount = Math.ceil((lines.length + 1) / blockSize);
  const sums = addSums(batches.map(({ entries }) => sumsOf(entries)));
  const control = fileControl.write({
    batchCount: BigInt(batches.length),
    blockCount: BigInt(blockCount),
    entryAndAddendaCount: sums.count,
    entryHash: sums.hash,
    totalDebit: 0n,
    totalCredit: sums.cents,
  });
  const filling = blockCount * blockSize - lines.length - 1;
  const all = [...lines, control, ...Array<string>(filling).fill(fillingLine)];
  return Buffer.from(all.map((line) => `${line}\n`).join(""), "latin1");
}

function batchLines({ header, entries }: BatchToWrite, index: number): string[] {
  const common = {
    serviceClassCode: "220",
    companyIdentification: header.companyIdentification,
    originatingBank: header.originatingBank,
    batchNumber: BigInt(index + 1),
  };
  const sums = sumsOf(entries);
  return [
    batchHeader.write({ ...header, ...common }),
    ...entries.flatMap(({ values, addenda }) => {
      const addendaIndicator = addenda.length > 0 ? "1" : "0";
      return [entryDetail.write({ ...values, addendaIndicator }), ...addenda];
    }),
    batchControl.write({
      ...common,
      entryAndAddendaCount: sums.count,
      entryHash: sums.hash,
      totalDebit: 0n,
      totalCredit: sums.cents,
    }),
  ];
}
