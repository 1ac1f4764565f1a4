import { createRequire } from "node:module";
import type { AchEntry, AchFile } from "../../server/src/ramp/rails/nacha/ach-file.ts";

/** As much of nach2 as writing a file takes. */
type Nach2 = {
  File: new (
    options: object,
  ) => {
    addBatch(batch: object): void;
    generateFile(done: (...results: unknown[]) => void): unknown;
  };
  Batch: new (options: object) => { addEntry(entry: object): void };
  Entry: new (options: object) => object;
};

/** The best known library for writing such files; it reads none. */
const name = "nach2";

/** Writes a file with the library, when it is installed. */
export async function writeWithNach2(
  file: AchFile,
): Promise<{ version: string; write(): Promise<string> } | undefined> {
  const require = createRequire(import.meta.url);
  let library: Nach2;
  let version: string;
  try {
    library = require(name) as Nach2;
    ({ version } = require(`${name}/package.json`) as { version: string });
  } catch {
    return undefined;
  }
  const write = () => writeFile(library, file);
  const wanted = file.batches.flatMap(({ entries }) => entries).length;
  const lines = (await write()).split(/\r?\n/);
  const written = lines.filter((line) => line.startsWith("6") && line.length === 94);
  if (written.length !== wanted)
    throw new Error(`${name} wrote ${written.length} of ${wanted} entries.`);
  return { version, write };
}

function writeFile(library: Nach2, file: AchFile): Promise<string> {
  const made = new library.File({
    immediateDestination: file.destination.routingNumber,
    immediateOrigin: file.origin.id.slice(0, 9),
    immediateDestinationName: file.destination.name,
    immediateOriginName: file.origin.name,
    referenceCode: "#A000001",
  });
  for (const batch of file.batches) {
    const into = new library.Batch({
      serviceClassCode: "220",
      companyName: batch.companyName,
      standardEntryClassCode: batch.entryClass,
      companyIdentification: batch.companyId,
      companyEntryDescription: batch.description,
      companyDescriptiveDate: "MAR 3",
      effectiveEntryDate: new Date(batch.effectiveOn),
      originatingDFI: file.destination.routingNumber,
    });
    for (const entry of batch.entries) into.addEntry(new library.Entry(optionsOf(entry)));
    made.addBatch(into);
  }
  // Some versions call back with an error first.
  return new Promise((resolve, reject) => {
    made.generateFile((...results) => {
      const text = results.find((result) => typeof result === "string");
      if (text === undefined) reject(new Error(`${name} wrote nothing.`));
      else resolve(text);
    });
  });
}

function optionsOf(entry: AchEntry): object {
  return {
    receivingDFI: entry.routingNumber,
    DFIAccount: entry.accountNumber,
    amount: String(entry.cents),
    idNumber: entry.identification,
    individualName: entry.name,
    discretionaryData: "A1",
    transactionCode: entry.accountType === "checking" ? "22" : "32",
    traceNumber: entry.trace,
  };
}
