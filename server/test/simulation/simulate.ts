import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import { assert, messageOf } from "../../src/lib/errors.ts";
import { checkInvariants } from "../../src/ramp/invariants.ts";
import { ledgerAccounts } from "../../src/ramp/ledger/accounts.ts";
import { reviewStates } from "../../src/ramp/operator-decisions.ts";
import type { Ports } from "../../src/ramp/ports.ts";
import type { RailContext } from "../../src/ramp/rails/rail-context.ts";
import { evmBooks } from "../../src/ramp/reconciliation/evm-books.ts";
import { compareBooks, subjectsOf } from "../../src/ramp/reconciliation/reconcile.ts";
import { isOpen, type Ramp } from "../../src/ramp/transaction.ts";
import { manualClock } from "../manual-clock.ts";
import { chainKeys, rampChain } from "./chain.ts";
import { openChance } from "./chance.ts";
import { openComplaints } from "./complaints.ts";
import { type Connected, connect } from "./connect.ts";
import * as customers from "./customers.ts";
import { type FaultKind, type Faults, openFaults } from "./faults.ts";
import * as operators from "./operators.ts";
import { clear, endow, endowRest, openSceneSealer } from "./scene.ts";
import { openStage, type Stage, Wrong } from "./stage.ts";
import { findUntruths } from "./truth.ts";
import type { Taken } from "./watcher.ts";
import { openWorld, type World } from "./world.ts";

/** What a story came to. */
export type Ending = {
  seed: number;
  /** What is wrong, in words; nothing when everything is right. */
  wrong: readonly string[];
  /** What happened, line by line. */
  trace: readonly string[];
  faults: ReadonlyMap<FaultKind, number>;
  /** Every step of every transaction. */
  taken: readonly Taken[];
  /** Where the transactions ended. */
  ends: readonly string[];
};

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** When nothing goes wrong any more, every transaction ends within so many days. */
const endsWithinDays = 40;

/** Money still goes astray for so many days when nothing else does. */
const calmAfterDays = 6;

/** The same rules are checked after every step anyway, in fewer statements. */
const officialCheckEvery = 10;

/** Plays the story of a seed on an empty database, and says what came of it. */
export async function simulate(db: Database, seed: number): Promise<Ending> {
  const chance = openChance(seed, "story");
  const faults = openFaults(openChance(seed, "faults"));
  const clock = manualClock(
    Date.UTC(2026, chance.below(12), chance.between(1, 28), chance.below(24)),
  );
  const world = openWorld({
    ...{ clock, faults, chance: openChance(seed, "world") },
    narrate: (line) => stage.tell(line),
  });
  const { log, complaints } = openComplaints();
  const random = openChance(seed, "engine");
  const sealer = openSceneSealer(random);
  const base = { db, clock, random, sealer, log };
  const stage: Stage = openStage({ base, world, faults, chance, complaints });
  await clear(db);
  await endow(db, world, "opening", 1n);
  world.chain.settle();
  let wrong: readonly string[] = [];
  try {
    await playOn(db, stage);
    await bringToAnEnd(db, stage, faults);
    await lookBack(base, stage, seed);
  } catch (error) {
    wrong = error instanceof Wrong ? error.findings : [stackOf(error)];
  }
  return {
    ...{ seed, wrong, trace: stage.trace, faults: faults.counts },
    taken: stage.taken,
    ends: stage.ramps.map(({ type, state }) => `${type} ${state}`),
  };
}

const stackOf = (error: unknown) =>
  error instanceof Error && error.stack ? error.stack : messageOf(error);

/** Everybody does something, right or wrong, and the service tries to keep up. */
async function playOn(db: Database, stage: Stage): Promise<void> {
  const { chance } = stage;
  const ramps = chance.pick([2, 2, 3, 4]);
  for (let turns = chance.between(18, 30); turns > 0; turns--) {
    if (stage.ramps.length < ramps && chance.isTrue(0.4)) await customers.create(stage);
    else await takeTurn(db, stage);
    if (chance.isTrue(0.7)) await stage.runEngine();
    await stage.inspect();
  }
}

/** What can happen in a turn, as often as its number says. */
const turns: readonly [weight: number, (stage: Stage, ramp: Ramp, db: Database) => unknown][] = [
  [16, ({ chance, passToNext }) => passToNext(chance.below(2) * minute)],
  [2, ({ chance, pass }) => pass(chance.between(1, 30) * minute)],
  [2, ({ chance, pass }) => pass(chance.between(1, 30) * hour)],
  [4, customers.pay],
  [3, customers.decide],
  [3, operators.decide],
  [1, operators.hold],
  [2, operators.tidySuspense],
  [1, operators.flipSwitch],
  [2, (stage) => operators.seeToFiles(stage, "one")],
  [1, ({ world }) => world.market.move()],
  [1, ({ chance, world }, _, db) => endow(db, world, `gift ${chance.below(10 ** 9)}`, 1n)],
];
const deck = turns.flatMap(([weight, turn]) => Array.from({ length: weight }, () => turn));

async function takeTurn(db: Database, stage: Stage): Promise<void> {
  const { chance, ramps } = stage;
  if (ramps.length === 0) return;
  const unpaid = ramps.filter(({ state }) => state.startsWith("AWAITING"));
  if (unpaid.length > 0 && chance.isTrue(0.3)) customers.pay(stage, chance.pick(unpaid));
  else await chance.pick(deck)(stage, chance.pick(ramps), db);
}

/** Less and less goes wrong, operators do their work, and time goes on until everything has ended. */
async function bringToAnEnd(db: Database, stage: Stage, faults: Faults): Promise<void> {
  const { world, chance } = stage;
  stage.tell("from here on nothing goes wrong but what happens to money, and soon nothing at all");
  faults.end("except money");
  world.market.calm();
  await db.query(sql`delete from kill_switches`);
  await endow(db, world, "last gift", 1_000n);
  const calmAt = world.clock.now() + calmAfterDays * day;
  const lastAt = calmAt + endsWithinDays * day;
  for (let goesOn = true; goesOn; goesOn = await stage.passToNext(chance.between(0, 10) * hour)) {
    if (world.clock.now() > lastAt) throw new Wrong(tellOpen(stage));
    if (world.clock.now() > calmAt) faults.end();
    await stage.runEngine();
    await stage.inspect();
    await seeToEverything(stage);
    await stage.inspect();
  }
  if (stage.ramps.some(isOpen)) throw new Wrong(tellOpen(stage));
}

/** What waits for somebody gets a decision; files may wait longer. */
async function seeToEverything(stage: Stage): Promise<void> {
  const { chance } = stage;
  for (const ramp of stage.ramps.filter(needsSomebody)) {
    if (chance.isTrue(0.3)) await customers.decide(stage, ramp);
    else await operators.decide(stage, ramp);
  }
  if (chance.isTrue(0.3)) await operators.seeToFiles(stage, "all");
}

function tellOpen({ ramps }: Stage): string[] {
  const open = ramps.filter(isOpen);
  return open.length === 0
    ? ["everything has ended, and yet something falls due again and again"]
    : open.map(({ id, state, reason }) => `${id} is still ${state} (${reason})`);
}

/** What waits for an operator, a wire that its sender's bank wants back included. */
function needsSomebody({ state, flaggedAt }: Ramp): boolean {
  return reviewStates.includes(state) || (state === "COMPLETED" && flaggedAt !== null);
}

/** In the end everything is known, so the world has to agree; and what operators would be told is true. */
async function lookBack(base: RailContext, stage: Stage, seed: number): Promise<void> {
  const { db } = base;
  const { world, ramps } = stage;
  const findings = await findUntruths(db, world, ramps);
  findings.push(...(await reconcile(base, world)));
  if (seed % officialCheckEvery === 0) {
    const { checks } = await checkInvariants({ db, ports: truthfulPorts(base, world) });
    assert(checks.length === 12, "there are twelve rules");
    const broken = checks.filter(({ ok, detail }) => !ok || !detail.endsWith(": holds"));
    findings.push(...broken.map(({ id, detail }) => `${id}: ${detail}`));
  }
  if (findings.length > 0) throw new Wrong(findings);
}

/** What operators would be told when they compare the books with those of the bank and the chain. */
async function reconcile(base: RailContext, world: World): Promise<string[]> {
  await endowRest(base.db, world);
  const { news } = truthfulPorts(base, world);
  const { evm, blockTime } = world.chain;
  const chain = { ...base, chain: rampChain, nodes: evm.nodes, keys: chainKeys, blockTime };
  const context = { ...base, news, chains: [evmBooks(chain)] };
  const { findings, notCompared } = await compareBooks(context, subjectsOf(context));
  const isQuiet = ({ reason }: { reason: string }) =>
    reason === "the bank has left no statement yet";
  return [
    ...findings.flatMap(({ differences }) => differences).map(({ explanation }) => explanation),
    ...notCompared
      .filter((one) => !isQuiet(one))
      .map(({ subject, reason }) => `${subject}: ${reason}`),
  ];
}

/** A ramp to whose nodes nothing happens. */
function connectSafely(base: RailContext, { bank, chain, market, screening }: World): Connected {
  const { blockTime, evm } = chain;
  const { exchange } = bank;
  return connect(base, { exchange, nodes: evm.nodes, blockTime, prices: market, screening });
}

/** The outside without faults, and with what the bank has for us. */
function truthfulPorts(base: RailContext, world: World): Ports {
  const { ports } = connectSafely(base, world).context;
  const atBank = { account: ledgerAccounts.bank(), balance: world.bank.account.balance() };
  return {
    ...ports,
    books: { balances: async () => [...(await ports.books.balances()), atBank] },
  };
}
