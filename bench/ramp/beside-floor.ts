import type { Address } from "../../server/src/database/address.ts";
import { built, context } from "../built.ts";
import type { Postgres } from "../postgres.ts";
import { measure, median, percentile, type Usage } from "../usage.ts";
import { stepsOf } from "./lifecycles.ts";
import { connectBare, type Recorded, recording, replay } from "./recording.ts";
import {
  copyDatabase,
  create,
  customerIds,
  type Kind,
  openScene,
  requestFor,
  type Scene,
} from "./scene.ts";

const { applyStep } = await built<typeof import("../../server/src/ramp/engine.ts")>("ramp/engine");

const kinds: readonly Kind[] = ["sale by ACH", "purchase", "sale by WIRE"];

/** How often everything is done, how many transactions a lane creates each time, and how many lanes there are. */
export type Amount = { rounds: number; perLane: number; lanes: number };

/** What one way of doing things took, round by round. */
type Times = { ours: Usage[]; floor: Usage[]; things: number[]; statements: number };

/** One database for us and the same again for the floor, which does there what we did. */
type Sites = { ours: Address; floor: Address };

/** Creates transactions and completes them, beside the same statements with nothing around them. */
export async function benchBesideFloor(postgres: Postgres, amount: Amount): Promise<void> {
  const customers = customerIds(amount.lanes);
  const ours = await postgres.create("bench_ramp");
  const first = await openScene(ours, customers, 2);
  await first.db.close();
  const floor = await copyDatabase(ours, "bench_ramp_floor");
  const times = await runRounds({ ours, floor }, customers, amount, () => postgres.settle());
  console.log(
    `\n${amount.rounds} rounds with ${amount.lanes} connections, each for another account: ${amount.perLane} ` +
      "transactions are created and completed.\nThe floor is the same SQL with the same values, sent over bare connections.",
  );
  console.log(
    row("", "per second", "the floor", "of floor", "noise", "CPU ms", "the floor", "statements"),
  );
  for (const [name, each] of Object.entries(times)) report(name, each);
  console.log("Aim: at least half of the floor. CPU is of our own process, for one of them.");
}

async function runRounds(
  sites: Sites,
  customers: readonly string[],
  { rounds, perLane, lanes }: Amount,
  settle: () => Promise<void>,
): Promise<Record<"creates" | "steps", Times>> {
  const scene = await openScene(sites.ours, customers, lanes);
  const bare = await connectBare(sites.floor, lanes);
  const creates: Times = { ours: [], floor: [], things: [], statements: 0 };
  const steps: Times = { ours: [], floor: [], things: [], statements: 0 };
  for (let round = -1; round < rounds; round++) {
    const done = openLanes(scene);
    for (const [times, work] of [
      [creates, createAll],
      [steps, completeAll],
    ] as const) {
      await settle();
      const ours = await measure(() => Promise.all(done.map((lane) => work(scene, lane, perLane))));
      const recorded = done.map((lane) => lane.recorded.splice(0));
      await settle();
      const floor = await measure(() =>
        Promise.all(bare.map((client, lane) => replay(client, recorded[lane] ?? []))),
      );
      if (round >= 0) note(times, ours, floor, recorded.flat());
    }
  }
  for (const client of bare) await client.end();
  await scene.db.close();
  return { creates, steps };
}

/** What one account does, one after the other, over a connection of its own. */
type Lane = ReturnType<typeof openLanes>[number];

function openLanes({ db, customers }: Scene) {
  return customers.map((userId) => ({
    ...recording(db),
    userId,
    ramps: [] as Awaited<ReturnType<typeof create>>[],
  }));
}

async function createAll({ ramp }: Scene, lane: Lane, count: number): Promise<void> {
  const requests = kinds.map((kind) => requestFor(lane.userId, kind));
  for (let n = 0; n < count; n++) {
    const request = requests[n % requests.length];
    if (request) lane.ramps.push(await create(lane.db, ramp, lane.userId, request));
  }
}

async function completeAll({ ramp: { clock } }: Scene, { db, ramps }: Lane): Promise<void> {
  const stepContext = { clock, random: context.random };
  for (const created of ramps) {
    let state: string = created.state;
    for (const step of stepsOf(created)) {
      ({ state } = await db.transact((tx) => applyStep(tx, stepContext, created.id, step)));
    }
    if (state !== "COMPLETED") throw new Error(`A transaction ends ${state}.`);
  }
}

function note(times: Times, ours: Usage, floor: Usage, recorded: readonly Recorded[]): void {
  times.ours.push(ours);
  times.floor.push(floor);
  times.things.push(recorded.length);
  times.statements = recorded.flat().length / recorded.length;
}

/** Ratios are taken within each round, where the machine was equally busy for both, and then their median. */
function report(name: string, { ours, floor, things, statements }: Times): void {
  const each = (usages: readonly Usage[], of: (usage: Usage, count: number) => number) =>
    usages.map((usage, round) => of(usage, things[round] ?? 1));
  const perSecond = (usage: Usage, count: number) => count / usage.seconds;
  const cpuMs = (usage: Usage, count: number) => (1_000 * usage.cpuSeconds) / count;
  const floors = each(floor, perSecond);
  const shares = each(ours, perSecond).map((value, round) => value / (floors[round] ?? 1));
  const noise = (percentile(floors, 90) - percentile(floors, 10)) / median(floors);
  console.log(
    row(
      name,
      median(each(ours, perSecond)).toFixed(0),
      median(floors).toFixed(0),
      `${(100 * median(shares)).toFixed(0)} %`,
      `${(100 * noise).toFixed(0)} %`,
      median(each(ours, cpuMs)).toFixed(2),
      median(each(floor, cpuMs)).toFixed(2),
      statements.toFixed(1),
    ),
  );
}

function row(name: string, ...cells: string[]): string {
  return name.padEnd(10) + cells.map((cell) => cell.padStart(12)).join("");
}
