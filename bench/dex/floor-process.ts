import { readFile } from "node:fs/promises";
import type { Address } from "../../server/src/database/address.ts";
import type { Database } from "../../server/src/database/database.ts";
import { openBenchDatabase } from "../built.ts";
import { obey } from "../process.ts";
import { measure, type Usage } from "../usage.ts";
import type { DumpedBatch } from "./dump.ts";

export type FloorOrders = { database: Address; url: string; batches: DumpedBatch[] };

/** The least that anybody must do: fetch the logs, parse them, and copy the same rows, of which nothing is computed. */
obey(async ({ database, url, batches }: FloorOrders): Promise<Usage> => {
  const db = openBenchDatabase(database);
  const usage = await measure(async () => {
    let next = fetchBatch(url, batches[0]);
    for (const [index, batch] of batches.entries()) {
      const count = await next;
      if (count !== batch.count) throw new Error(`${count} logs instead of ${batch.count}.`);
      next = fetchBatch(url, batches[index + 1]);
      await copyBatch(db, batch);
    }
  });
  await db.close();
  return usage;
});

async function fetchBatch(url: string, batch: DumpedBatch | undefined): Promise<number> {
  if (!batch) return 0;
  const { from, to } = batch;
  const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` };
  const response = await fetch(url, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getLogs", params: [range] }),
  });
  const { result } = (await response.json()) as { result: unknown[] };
  return result.length;
}

function copyBatch(db: Database, { files }: DumpedBatch): Promise<void> {
  return db.transact(async (tx) => {
    for (const { table, columns, file } of files)
      await tx.copy({ table, columns, lines: [await readFile(file, "latin1")] });
  });
}
