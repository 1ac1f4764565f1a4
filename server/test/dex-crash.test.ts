import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { Slipway } from "@slipway/sdk";
import { expect, test } from "vitest";
import { openNodes } from "../src/chains/nodes.ts";
import { readConfig } from "../src/config.ts";
import { runIndexer } from "../src/dex/indexer/indexer.ts";
import { openInstallation } from "../src/installation.ts";
import { systemClock } from "../src/lib/clock.ts";
import { systemRandom } from "../src/lib/random.ts";
import { openSandboxChain } from "../src/sandbox/chain/open-sandbox-chain.ts";
import { readTables } from "./dex-tables.ts";
import { silentLog } from "./silent-log.ts";
import { useDatabase } from "./test-database.ts";
import { startService, type TestService, temporaryFolder } from "./test-service.ts";

const held = useDatabase();
const context = { clock: systemClock, random: systemRandom, log: silentLog };
const kills = Number(process.env.CRASH_ROUNDS ?? 2);
const index = { exchange: "uniswap-v3", blockchain: "ethereum" } as const;

const healthOf = async ({ url }: TestService) =>
  (await new Slipway({ baseUrl: url }).health()).dex?.["uniswap-v3/ethereum"];

async function ageOf({ url }: TestService): Promise<number> {
  const headers = { apiKey: "slp_sandbox_master" };
  const response = await fetch(`${url}/v2/dex/uniswap-v3/ethereum/pools?limit=1`, { headers });
  return Number(response.headers.get("age") ?? Number.POSITIVE_INFINITY);
}

test(`kill -9 in the middle of indexing, ${kills} times: the tables are those of an index that was never stopped`, async () => {
  const dataFolder = temporaryFolder();
  const env = { SLIPWAY_DATA: dataFolder, SANDBOX_CHAIN: "true" };
  let service = await startService({ env });
  let killedAt = -1;
  for (let kill = 0; kill < kills; kill++) {
    // Blocks come in batches while history is made: wherever the next step takes it, it is in the middle of one.
    const before = killedAt;
    await expect
      .poll(async () => (await healthOf(service))?.block ?? -1, { interval: 5, timeout: 180_000 })
      .toBeGreaterThan(before);
    killedAt = (await healthOf(service))?.block ?? before;
    service.signal("SIGKILL");
    await service.ended;
    service = await startService({ env });
  }
  // History is over when the newest block is as old as a live chain's.
  await expect.poll(() => ageOf(service), { timeout: 300_000 }).toBeLessThan(30);
  await service.stop();

  const { config } = readConfig(env);
  const installation = await openInstallation(config, "command", silentLog);
  const survived = await readTables(installation.db, index);
  await installation.close();
  const fresh = await indexAgain(join(dataFolder, "sandbox-chain", "blocks.jsonl"), survived);
  for (const [table, rows] of Object.entries(fresh)) expect(survived[table], table).toEqual(rows);
  expect(fresh.dex_trades?.length).toBeGreaterThan(500);
}, 900_000);

/** Indexes the same chain, as far as the other index got, in one go. */
async function indexAgain(journal: string, { checkpoint }: Record<string, unknown[]>) {
  const journalFile = join(temporaryFolder(), "blocks.jsonl");
  copyFileSync(journal, journalFile);
  const chain = await openSandboxChain({
    ...context,
    warn: () => {},
    journalFile,
    seed: 0,
    history: { days: 14, swaps: 2_000 },
    live: false,
    port: 0,
  });
  await chain.seeded;
  const nodes = await openNodes({ ...context, chain: chain.chain });
  const [{ block }] = checkpoint as [{ block: string }];
  const stopping = new AbortController();
  await runIndexer({
    ...context,
    db: held.db,
    nodes,
    chain: chain.chain,
    deployment: chain.deployment,
    announce: ({ indexed }) => indexed?.block === Number(block) && stopping.abort(),
    signal: stopping.signal,
  });
  await nodes.close();
  await chain.close();
  return readTables(held.db, index);
}
