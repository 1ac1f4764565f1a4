import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Address } from "../../src/database/address.ts";
import { sql } from "../../src/database/sql.ts";
import { openEvmNodes } from "../../src/ramp/rails/evm/open-evm-nodes.ts";
import { openSandboxChain } from "../../src/sandbox/chain/open-sandbox-chain.ts";
import { movedClock, openTestDatabase, quietNoonAfter } from "../ramp-crash/life.ts";
import { countPoints } from "../ramp-crash/points.ts";
import { noon } from "../ramp-crash/stories.ts";
import { createTestDatabase, withAdmin } from "../test-database.ts";
import { root } from "../test-service.ts";
import { crashChainAt, mineAt } from "./customer-chain.ts";
import type { Doom } from "./doomed-process.ts";
import { expectAddedUp, expectSound, readBeginning, readEnd, type Witness } from "./ends.ts";
import { live, openService } from "./life.ts";
import { openSmallBank } from "./small-bank.ts";
import { type Plot, populate } from "./stories.ts";

/** A chain, a bank and a database that outlive the service, and in which one story after the other is told. */
export type World = Witness & { address: Address; port: number; finalityBlocks: number };

/** Everything that a story leads to. */
export type End = Awaited<ReturnType<typeof readEnd>>;

/** Opens a world, and adds everything in it up when it is over. */
export async function withWorld(
  finalityBlocks: number,
  use: (world: World) => Promise<void>,
): Promise<void> {
  const clock = movedClock(noon);
  const opened = await openSandboxChain({
    ...{ clock, warn: (message) => expect.fail(message), seed: 7 },
    ...{ history: { days: 0.001, swaps: 1 }, live: false, port: 0 },
  });
  await opened.seeded;
  const { port } = opened;
  const chain = crashChainAt(port, finalityBlocks);
  const nodes = openEvmNodes(chain);
  const { address, drop } = await createTestDatabase();
  // It is not the database server that dies: nobody has to wait for its disk.
  await withAdmin(address, (admin) =>
    admin.query(`alter database ${address.database} set synchronous_commit = off`),
  );
  const folder = mkdtempSync(join(tmpdir(), "slipway-bank-"));
  const world: World = {
    ...{ address, db: openTestDatabase(address, 2), outside: openTestDatabase(address, 1) },
    ...{
      port,
      finalityBlocks,
      chain,
      nodes,
      rpc: opened.request,
      folder,
      bank: openSmallBank(folder),
      clock,
    },
  };
  try {
    await populate(world.outside, world.rpc, noon);
    // Begins to watch the chain, so that the first story is like the others.
    await comeToRest(world);
    await use(world);
    await expectAddedUp(world);
  } finally {
    await world.outside.close();
    await drop();
    await nodes.close();
    await opened.close();
    rmSync(folder, { recursive: true });
  }
}

/** Tells a story, after whatever comes in between, and gives its end. */
export async function tellWith(
  world: World,
  plot: Plot,
  before: () => Promise<unknown>,
): Promise<End> {
  await comeToRest(world);
  const beginning = await readBeginning(world);
  await before();
  const { id } = await liveHere(world, plot);
  const end = await readEnd(world, id ?? "", beginning);
  await expectSound(world);
  return end;
}

/** Lives once, in this process. Returns the transaction at the end of the story, or nothing after dying. */
export async function liveHere(
  world: World,
  plot: Plot,
  diesAt?: number,
  afterRound?: (id: string) => Promise<void>,
): Promise<{ id: string | undefined; passed: string[] }> {
  let hasDied = () => {};
  const death = new Promise<undefined>((resolve) => {
    hasDied = () => resolve(undefined);
  });
  const points = countPoints(diesAt, () => {
    hasDied();
    return new Promise(() => {});
  });
  const life = live(world, points, world.clock, plot, afterRound);
  const id = await Promise.race([life, death]);
  if (id === undefined) await abandon(world);
  return { id, passed: points.passed };
}

/** Lives in a process of its own until that is killed. */
export async function beKilled(world: World, plot: Plot, diesAt: number): Promise<void> {
  const { address, port, finalityBlocks, folder, clock } = world;
  const file = fileURLToPath(new URL("doomed-process.ts", import.meta.url));
  const doom: Doom = { address, port, finalityBlocks, folder, plot, startsAt: clock.now(), diesAt };
  const child = spawn(process.execPath, ["--import", "tsx", file, JSON.stringify(doom)], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  await new Promise<void>((resolve, reject) => {
    child.once("close", (code, signal) => {
      if (signal === "SIGKILL") resolve();
      else reject(new Error(`it should have been killed at ${diesAt}, and ended with ${code}`));
    });
  });
  clock.moveTo(Number(output.trim().split("\n").at(-1)) || clock.now());
}

/** Lets the server undo what a life had begun that does not go on. */
async function abandon(world: World): Promise<void> {
  const ended = await world.outside.query(sql`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`);
  if (ended.length === 0) return;
  // Never ends while a connection is in use, as one is for ever; nobody waits for it.
  world.db.close().catch(() => {});
  world.db = openTestDatabase(world.address, 2);
}

/** Goes to another quiet noon, on a chain on which all is for good. */
async function comeToRest(world: World): Promise<void> {
  const { outside, rpc, clock, finalityBlocks } = world;
  await outside.query(sql`update bank_accounts set stopped_code = null`);
  clock.moveTo(quietNoonAfter(clock.now()));
  for (let blocks = 0; blocks <= finalityBlocks; blocks++) await mineAt(rpc, clock.now());
  const immortal = countPoints(undefined, () => expect.fail("nobody dies here"));
  const { runners } = openService({ ...world, db: outside }, immortal, clock);
  for (const runner of runners) await runner.run();
}
