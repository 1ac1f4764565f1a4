import { CallerError, messageOf, UnavailableError } from "../../src/lib/errors.ts";
import type { RampContext } from "../../src/ramp/engine.ts";
import { rampRunners } from "../../src/ramp/run-ramp.ts";
import type { Ramp } from "../../src/ramp/transaction.ts";
import type { Chance } from "./chance.ts";
import type { Faults } from "./faults.ts";
import { openLife } from "./life.ts";
import type { Story } from "./story.ts";
import { type DueTable, openWatcher, type Sight, type Taken } from "./watcher.ts";
import type { World } from "./world.ts";

/** Where a story is played: the service, which may die and starts anew, the world, and whoever watches both. */
export type Stage = Story & {
  readonly trace: readonly string[];
  /** Every step that was taken. */
  readonly taken: readonly Taken[];
  /** Does everything that is due now, as far as the faults let it. */
  runEngine(): Promise<void>;
  /** Lets time pass until the next thing happens or falls due, and a while more. Returns whether there is such a thing. */
  passToNext(whileMs: number): boolean;
  pass(ms: number): void;
  /** Looks into all books. Throws when something is wrong. */
  inspect(): Promise<void>;
};

/** Something that must not be. */
export class Wrong extends Error {
  readonly findings: readonly string[];

  constructor(findings: readonly string[]) {
    super(findings.join("; "));
    this.name = "Wrong";
    this.findings = findings;
  }
}

/** A process that is about to die does so within so many points of its work. */
const lastPointMost = 60;

/** What each runner waits for. */
const tableOf: Readonly<Record<string, DueTable>> = {
  transactions: "ramp_transactions",
  payouts: "payouts",
  "wires nobody claimed": "incoming_wires",
  "deposits nobody claimed": "deposits",
};

type Cast = {
  base: RampContext;
  world: World;
  faults: Faults;
  chance: Chance;
  complaints: string[];
};

/** Opens a stage with nothing on it yet. */
export function openStage({ base, world, faults, chance, complaints }: Cast): Stage {
  const { clock, happenings } = world;
  const trace: string[] = [];
  const taken: Taken[] = [];
  const watcher = openWatcher(base.db, world);
  let sight: Sight = { wrong: [], ramps: [], taken: [], readCount: 0, dueAt: new Map() };
  let life = openLife(base, faults, meanwhile);
  /** What another process does, at most once while this one does all there is to do. */
  let other: Promise<void> | undefined;
  /** Whether the last look is out of date. */
  let isStale = true;

  function tell(line: string): void {
    trace.push(`${new Date(clock.now()).toISOString().slice(0, 19)} ${line}`);
  }

  /** Whoever cannot be reached, is refused, or has died may be so; anything else is a bug. */
  function forgive(error: unknown): void {
    const isRefused = error instanceof CallerError || error instanceof UnavailableError;
    if (!isRefused && !messageOf(error).includes("simulated")) throw error;
  }

  function liveOn(): void {
    isStale ||= life.hasWritten();
    if (life.isOver()) {
      tell("the process has died and starts anew");
      life = openLife(base, faults, meanwhile);
    } else {
      life.goOn();
    }
  }

  /** Nobody waits so long that what it works on is given to others. */
  function meanwhile(): Promise<void> {
    if (!other && faults.strikes("other_process")) {
      clock.advance(chance.below(50_000));
      happenings.catchUp();
      other = doAll(openLife(base, faults).context).catch(
        (error) => void complaints.push(messageOf(error)),
      );
    }
    return other ?? Promise.resolve();
  }

  async function doAll(context: RampContext): Promise<void> {
    tell("another process does all there is to do");
    isStale = true;
    for (const { name, run } of rampRunners(context))
      if (name !== "invariants") await run().catch(forgive);
  }

  const toldCount = () =>
    world.ports.news.reduce((sum, { name }) => sum + world.toldCount(name), 0);

  /** A runner that would find nothing is left out, to save the time. What is suspended falls due only days later. */
  function isIdle(name: string): boolean {
    if (name === "invariants") return true;
    const table = tableOf[name];
    if (!table) return sight.readCount === toldCount();
    const isMoving = table === "ramp_transactions" || table === "payouts";
    if (isMoving && (isStale || life.hasWritten())) return false;
    return (sight.dueAt.get(table) ?? Number.POSITIVE_INFINITY) > clock.now();
  }

  function tellSteps(): void {
    for (const { id, reason } of sight.ramps) {
      const steps = sight.taken.filter((step) => step.id === id);
      const kinds = steps.map(({ kind }) => kind).join(", ");
      const state = `${steps.at(-1)?.state}${reason ? ` (${reason})` : ""}`;
      if (steps.length > 0) tell(`  ${id}: ${kinds} -> ${state}`);
    }
  }

  return {
    ...{ world, chance, trace, taken, tell },
    get ramps(): readonly Ramp[] {
      return sight.ramps;
    },
    async ask(what, work) {
      tell(what);
      try {
        await life.context.db.transact((tx) => work(tx, life.context));
      } catch (error) {
        tell(`  no: ${messageOf(error)}`);
        forgive(error);
      }
      liveOn();
    },
    async runEngine() {
      other = undefined;
      if (faults.strikes("crash")) life.dieAt(chance.between(1, lastPointMost));
      for (const { name, run } of rampRunners(life.context)) {
        if (!life.isOver() && !isIdle(name)) await run().catch(forgive);
      }
      liveOn();
    },
    passToNext(whileMs) {
      const times = [...sight.dueAt.values(), happenings.nextAt()];
      const next = Math.min(...times.filter((at) => at !== undefined));
      const isOver = next === Number.POSITIVE_INFINITY;
      if (isOver && sight.readCount === toldCount()) return false;
      clock.advance((isOver ? 0 : Math.max(0, next - clock.now())) + whileMs);
      happenings.catchUp();
      return true;
    },
    pass(ms) {
      clock.advance(ms);
      happenings.catchUp();
    },
    async inspect() {
      if (complaints.length > 0) throw new Wrong(complaints);
      if (!isStale) return;
      isStale = false;
      sight = await watcher.look();
      taken.push(...sight.taken);
      tellSteps();
      if (sight.wrong.length > 0) throw new Wrong(sight.wrong);
    },
  };
}
