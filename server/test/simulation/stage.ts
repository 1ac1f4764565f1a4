import { CallerError, messageOf, UnavailableError } from "../../src/lib/errors.ts";
import type { RampContext } from "../../src/ramp/engine.ts";
import { rampRunners } from "../../src/ramp/run-ramp.ts";
import type { Told } from "../../src/ramp/store/invariants.ts";
import type { Ramp } from "../../src/ramp/transaction.ts";
import type { Chance } from "./chance.ts";
import { check } from "./check.ts";
import type { Faults } from "./faults.ts";
import { Crash, openLife } from "./life.ts";
import { nextDueAt } from "./scene.ts";
import type { Story } from "./story.ts";
import type { World } from "./world.ts";

/** Where a story is played: the service, which may die and starts anew, the world, and whoever watches both. */
export type Stage = Story & {
  readonly trace: readonly string[];
  /** Does everything that is due now, as far as the faults let it. Returns how much that was. */
  runEngine(): Promise<number>;
  /** Lets time pass until the next thing happens or falls due, and a while more. Returns whether there is such a thing. */
  passToNext(whileMs: number): Promise<boolean>;
  pass(ms: number): void;
  /** Throws when something is wrong. */
  inspect(): Promise<void>;
};

/** Something must not be. */
export class Wrong extends Error {
  readonly findings: readonly string[];

  constructor(findings: readonly string[]) {
    super(findings.join("; "));
    this.name = "Wrong";
    this.findings = findings;
  }
}

/** Points of work after which a process that is about to die does so. */
const lastPointMost = 60;

type Cast = {
  base: RampContext;
  world: World;
  faults: Faults;
  chance: Chance;
  complaints: string[];
};

/** Opens a stage with nothing on it yet. */
export function openStage({ base, world, faults, chance, complaints }: Cast): Stage {
  const { clock } = world;
  const trace: string[] = [];
  let life = openLife(base, faults);
  let told: readonly Told[] = [];
  let hasWritten = true;

  const tell = (line: string) =>
    void trace.push(`${new Date(clock.now()).toISOString().slice(0, 19)} ${line}`);

  /** Whoever is not reachable, refused, or dead may be so; anything else is a bug. */
  function forgive(error: unknown): void {
    const isForgiven = [CallerError, UnavailableError, Crash].some((kind) => error instanceof kind);
    if (!isForgiven) throw error;
  }

  function liveOn(): void {
    hasWritten = life.hasWritten() || hasWritten;
    if (!life.isOver()) return life.goOn();
    tell("the process has died and starts anew");
    life = openLife(base, faults);
  }

  function tellSteps(next: readonly Told[]): void {
    for (const { ramp, steps } of next) {
      const before = told.find((one) => one.ramp.id === ramp.id)?.steps.length ?? 0;
      const kinds = steps.slice(before).map(({ step }) => step.kind);
      if (kinds.length === 0) continue;
      const reason = ramp.reason ? ` (${ramp.reason})` : "";
      tell(`  ${ramp.id}: ${kinds.join(", ")} -> ${ramp.state}${reason}`);
    }
  }

  return {
    world,
    chance,
    trace,
    tell,
    get ramps(): readonly Ramp[] {
      return told.map(({ ramp }) => ramp);
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
      if (faults.strikes("crash")) life.dieAt(chance.between(1, lastPointMost));
      let handled = 0;
      for (const { name, run } of rampRunners(life.context)) {
        if (name === "invariants" || life.isOver()) continue;
        handled += await run().catch((error) => {
          forgive(error);
          return 0;
        });
      }
      liveOn();
      return handled;
    },
    async passToNext(whileMs) {
      const times = [await nextDueAt(base.db), world.happenings.nextAt()];
      const next = times.filter((at) => at !== undefined);
      if (next.length === 0) return false;
      clock.advance(Math.max(0, Math.min(...next) - clock.now()) + whileMs);
      world.happenings.catchUp();
      return true;
    },
    pass(ms) {
      clock.advance(ms);
      world.happenings.catchUp();
    },
    async inspect() {
      if (complaints.length > 0) throw new Wrong(complaints);
      if (!hasWritten) return;
      hasWritten = false;
      const { wrong, told: next } = await check(base.db, world);
      tellSteps(next);
      told = next;
      if (wrong.length > 0) throw new Wrong(wrong);
    },
  };
}
