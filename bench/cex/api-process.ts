import { Worker } from "node:worker_threads";
import type { Address } from "../../server/src/database/address.ts";
import { serveApi } from "../api.ts";
import { obey } from "../process.ts";
import type { FeedOrders } from "./feed-thread.ts";

export type ApiOrders = { database: Address } & Omit<FeedOrders, "space">;
export type ApiAnswer = { url: string };

/** The API as it is, beside a thread that changes a book all the time. */
obey(async ({ database, ...feed }: ApiOrders): Promise<ApiAnswer> => {
  const kraken = { id: "kraken", baseUrl: undefined, markets: [], isSandbox: false };
  const url = await serveApi(database, { exchanges: [kraken] });
  startFeed({ ...feed, space: "bench" });
  return { url };
});

/** A thread does not get the loader for TypeScript that this process has. */
function startFeed(workerData: FeedOrders): void {
  const file = JSON.stringify(new URL("./feed-thread.ts", import.meta.url).href);
  const code = `import("tsx/esm/api").then(({ tsImport }) => tsImport(${file}, ${file}))`;
  new Worker(code, { eval: true, workerData }).unref();
}
