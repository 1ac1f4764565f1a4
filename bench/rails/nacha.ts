import { isDeepStrictEqual } from "node:util";
import type { AchEntry, AchFile } from "../../server/src/ramp/rails/nacha/ach-file.ts";
import { built } from "../built.ts";
import { compare } from "./compare.ts";
import { bank } from "./scene.ts";

const { asCents } = await built<typeof import("../../server/src/lib/money.ts")>("lib/money");
const { readAchFile } = await built<
  typeof import("../../server/src/ramp/rails/nacha/read-file.ts")
>("ramp/rails/nacha/read-file");
const { writeAchFile } = await built<
  typeof import("../../server/src/ramp/rails/nacha/write-file.ts")
>("ramp/rails/nacha/write-file");

/** Where the fields of an entry end. */
const fieldEnds = [1, 3, 11, 12, 29, 39, 54, 76, 78, 79, 94];
const routingNumbers = ["021000021", "011401533", "091000019", "121000248"];

/** Writes a file and reads it back, beside the same bytes put together and taken apart with nothing known about them. */
export async function benchNacha({
  rounds,
  entries,
}: {
  rounds: number;
  entries: number;
}): Promise<void> {
  const file = achFileOf(entries);
  const bytes = writeAchFile(file);
  if (!isDeepStrictEqual(readAchFile(bytes), file)) throw new Error("A file reads otherwise.");
  const records = recordsIn(bytes);
  if (!joinRecords(records).equals(bytes)) throw new Error("The floor writes other bytes.");
  const times = { rounds, things: entries };
  const title = `ACH files, ${entries} entries`;
  await compare(`${title} written and read back`, times, [
    { name: "ours", work: async () => readAchFile(writeAchFile(file)) },
    {
      name: "the floor: fields joined, and cut again",
      work: async () => recordsIn(joinRecords(records)),
    },
  ]);
  await compare(`${title} written`, times, [
    { name: "ours", work: async () => writeAchFile(file) },
    { name: "the floor: fields joined", work: async () => joinRecords(records) },
  ]);
}

/** A file of so many payments to persons. */
function achFileOf(entries: number): AchFile {
  return {
    destination: { routingNumber: bank.routingNumber, name: "BANK OF THE BENCH" },
    origin: { id: bank.companyId, name: "SLIPWAY BENCH" },
    ...{ createdOn: "2026-03-02", createdAt: "17:05", modifier: "A" },
    batches: [
      {
        ...{ entryClass: "PPD", companyName: "SLIPWAY BENCH", companyId: bank.companyId },
        ...{ description: "CRYPTOSELL", effectiveOn: "2026-03-03" },
        originator: bank.routingNumber.slice(0, 8),
        entries: Array.from({ length: entries }, (_, n) => entryOf(n)),
      },
    ],
  };
}

function entryOf(n: number): AchEntry {
  return {
    trace: `${bank.routingNumber.slice(0, 8)}${String(n + 1).padStart(7, "0")}`,
    accountType: n % 3 === 0 ? "savings" : "checking",
    routingNumber: routingNumbers[n % routingNumbers.length] ?? "",
    accountNumber: String(4_000_000_000 + n * 7_919),
    cents: asCents(BigInt(1_00 + n * 37)),
    identification: String(10_000_000_000_000 + n),
    name: `ADA LOVELACE ${n}`,
  };
}

function recordsIn(bytes: Buffer): string[][] {
  const lines = bytes.toString("latin1").split("\n").slice(0, -1);
  return lines.map((line) =>
    line.startsWith("6")
      ? fieldEnds.map((end, index) => line.slice(fieldEnds[index - 1] ?? 0, end))
      : [line],
  );
}

function joinRecords(records: readonly string[][]): Buffer {
  let text = "";
  for (const fields of records) {
    for (const field of fields) text += field;
    text += "\n";
  }
  return Buffer.from(text, "latin1");
}
