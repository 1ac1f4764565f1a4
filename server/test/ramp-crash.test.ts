import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Address } from "../src/database/address.ts";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { drawFrom } from "./rails-crash/draw.ts";
import type { Doom } from "./ramp-crash/doomed-process.ts";
import { expectSound, readBalances, readEnd } from "./ramp-crash/ends.ts";
import {
  live,
  type MovedClock,
  movedClock,
  openTestDatabase,
  quietNoonAfter,
} from "./ramp-crash/life.ts";
import { countPoints } from "./ramp-crash/points.ts";
import { noon, type Plot, populate, type StoryName, stories } from "./ramp-crash/stories.ts";
import { createTestDatabase } from "./test-database.ts";
import { root } from "./test-service.ts";

/**
 * `CRASH_POINTS=all npx vitest run server/test/ramp-crash.test.ts` is the long version: every point, and a process for
 * each. Otherwise every third: `rails-crash.test.ts` dies wherever the world outside is touched.
 */
const isLong = process.env.CRASH_POINTS === "all";
const names = Object.keys(stories) as StoryName[];
const everyPoint = isLong ? 1 : 3;
const pairsPerStory = isLong ? 200 : 2;
const twins: Partial<Record<StoryName, StoryName>> = {
  "a sale paid by wire": "a sale paid by ACH",
  "a purchase that is refunded": "a purchase",
  "a sale whose payment comes back": "a sale paid by ACH",
};

type World = {
  address: Address;
  /** The world outside, which does not die: one connection, for `abandon` ends all others. */
  outside: Database;
  /** What the service works with, from one life to the next where that makes no difference. */
  db: Database;
  /** Goes on from story to story. */
  clock: MovedClock;
};

async function withWorld(use: (world: World) => Promise<void>): Promise<void> {
  const { address, drop } = await createTestDatabase();
  const open = (poolSize: number) => openTestDatabase(address, poolSize);
  const world = { address, outside: open(1), db: open(2), clock: movedClock(noon) };
  try {
    await populate(world.outside);
    await use(world);
    await expectSound(world.outside, world.clock.now());
  } finally {
    await world.outside.close();
    await drop();
  }
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

/** Lives once, in this process. Returns the transaction at the end of the story, or nothing after dying. */
async function liveHere(
  world: World,
  plot: Plot,
  diesAt?: number,
): Promise<{ id: string | undefined; passed: string[] }> {
  let hasDied = () => {};
  const death = new Promise<undefined>((resolve) => {
    hasDied = () => resolve(undefined);
  });
  const points = countPoints(diesAt, () => {
    hasDied();
    return new Promise(() => {});
  });
  const id = await Promise.race([live(world, points, world.clock, plot), death]);
  if (id === undefined) await abandon(world);
  return { id, passed: points.passed };
}

/** Lives in a process of its own until that is killed. */
async function liveElsewhere(world: World, plot: Plot, diesAt: number): Promise<void> {
  const { address, clock } = world;
  const file = fileURLToPath(new URL("ramp-crash/doomed-process.ts", import.meta.url));
  const doom: Doom = { address, plot, startsAt: clock.now(), diesAt };
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

/** Tells a story with deaths on the way, and gives its end. */
async function tellWith(world: World, plot: Plot, die: () => Promise<unknown>) {
  await world.outside.query(sql`update bank_accounts set stopped_code = null`);
  const before = await readBalances(world.outside);
  world.clock.moveTo(quietNoonAfter(world.clock.now()));
  await die();
  const { id } = await liveHere(world, plot);
  return readEnd(world.outside, id ?? "", before);
}

/** A story as it should be: the points it passes, and how it ends. */
type Whole = { story: StoryName; passed: string[]; end: Awaited<ReturnType<typeof tellWith>> };

async function tellWhole(world: World, story: StoryName, key: string): Promise<Whole> {
  let passed: string[] = [];
  const end = await tellWith(world, { story, key }, async () => {
    ({ passed } = await liveHere(world, { story, key }));
  });
  return { story, passed, end };
}

const nameOf = ({ passed }: Whole, point: number) => `died ${passed[point - 1]} (${point})`;

async function dieAt(world: World, whole: Whole, point: number): Promise<void> {
  const plot = { story: whole.story, key: `dies at ${point}` };
  const end = await tellWith(world, plot, async () => {
    const { id } = await liveHere(world, plot, point);
    expect(id, `it is dead at ${point}`).toBeUndefined();
  });
  expect(end, nameOf(whole, point)).toEqual(whole.end);
}

/** What is left after the first death may be over before the second. */
async function dieTwice(world: World, whole: Whole, [first, second]: [number, number]) {
  const plot = { story: whole.story, key: `dies at ${first} and ${second}` };
  const end = await tellWith(world, plot, async () => {
    await liveHere(world, plot, first);
    await liveHere(world, plot, second);
  });
  expect(end, `${nameOf(whole, first)}, then at its point ${second}`).toEqual(whole.end);
}

async function beKilledAt(world: World, whole: Whole, point: number): Promise<void> {
  const plot = { story: whole.story, key: `killed at ${point}` };
  const end = await tellWith(world, plot, () => liveElsewhere(world, plot, point));
  expect(end, `kill -9, ${nameOf(whole, point)}`).toEqual(whole.end);
}

/** After how many points two stories part. */
function sharedStart(one: Whole, other: Whole): number {
  const index = one.passed.findIndex((name, at) => name !== other.passed[at]);
  return index === -1 ? one.passed.length : index;
}

async function dieEverywhere(world: World, story: StoryName): Promise<void> {
  const seed = names.indexOf(story);
  const whole = await tellWhole(world, story, "whole");
  const { length } = whole.passed;
  const twin = isLong ? undefined : twins[story];
  // Where a story is the same as another, that one dies for both.
  const known = twin ? sharedStart(whole, await tellWhole(world, twin, "twin")) : 0;
  for (let point = known + 1; point <= length; point += everyPoint)
    await dieAt(world, whole, point);

  const seconds = drawFrom(length, pairsPerStory, seed + 100);
  for (const [index, first] of drawFrom(length, pairsPerStory, seed).entries())
    await dieTwice(world, whole, [first, seconds[index] ?? 1]);

  const processes = twin ? 0 : isLong ? length : 1;
  for (const point of drawFrom(length, processes, seed + 200))
    await beKilledAt(world, whole, point);
}

describe.concurrent("a service that dies", () => {
  test.each(names)(
    "anywhere in %s, and goes on: every payment is made once",
    (story) => withWorld((world) => dieEverywhere(world, story)),
    isLong ? 3_600_000 : 600_000,
  );
});
