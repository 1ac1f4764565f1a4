import { CallerError, messageOf, UnavailableError } from "../../src/lib/errors.ts";
import type { RailContext } from "../../src/ramp/rails/rail-context.ts";
import type { PayoutId, Ramp } from "../../src/ramp/transaction.ts";
import type { Chance } from "./chance.ts";
import type { Faults } from "./faults.ts";
import { type Life, openLife } from "./life.ts";
import type { Story } from "./story.ts";
import { type DuePlace, openWatcher, type Sight, type Taken } from "./watcher.ts";
import type { World } from "./world.ts";

/** Where a story is played: the service, which may die and starts anew, the world, and whoever watches both. */
export type Stage = Story & {
  readonly trace: readonly string[];
  /** Every step that was taken. */
  readonly taken: readonly Taken[];
  /** Does everything that is due now, as far as the faults let it. */
  runEngine(): Promise<void>;
  /** Lets time pass until the next thing happens or falls due, and a while more. Returns whether there is such a thing. */
  passToNext(whileMs: number): Promise<boolean>;
  pass(ms: number): Promise<void>;
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
const lastPointMost = 120;

/** What lies at deposit addresses and is not worth the fee is looked at every day: nobody waits for that. */
const sweepsWithinMs = 2 * 3_600_000;

/** What each runner waits for. */
const placesOf: Readonly<Record<string, readonly DuePlace[]>> = {
  transactions: ["ramp_transactions"],
  payouts: ["payouts"],
  "wires nobody claimed": ["incoming_wires"],
  "deposits nobody claimed": ["deposits"],
  "files for the bank": ["unfiled"],
  "delivery of files to the bank": ["bank_files"],
  "settlement of ACH entries": ["unsettled"],
  "deposits on base": ["chain_cursors"],
  "own transactions on base": ["chain_transactions"],
  "sweeps on base": ["chain_deposits", "late_sweeps", "sweeps"],
};

type Cast = {
  base: RailContext;
  world: World;
  faults: Faults;
  chance: Chance;
  complaints: string[];
};

/** Opens a stage with nothing on it yet. */
export function openStage({ base, world, faults, chance, complaints }: Cast): Stage {
  const { clock, happenings, bank, chain, market: prices, screening } = world;
  const { nodes, blockTime } = chain;
  const handedOver = new Set<PayoutId>();
  const reached = { exchange: bank.exchange, nodes, blockTime, prices, screening, handedOver };
  const trace: string[] = [];
  const taken: Taken[] = [];
  const watcher = openWatcher(base, world);
  let sight: Sight = {
    ...{ wrong: [], ramps: [], taken: [], hasUnread: false, heldFiles: 0 },
    ...{ dueAt: new Map(), looked: undefined },
  };
  let life = openLife(base, reached, faults, meanwhile);
  /** What another process does, at most once while this one does all there is to do. */
  let other: Promise<void> | undefined;
  /** Whether the last look is out of date, and whether something may have been told since. */
  let isStale = true;
  let mayHaveNews = false;

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
    mayHaveNews ||= life.hasTold();
    if (life.isOver()) {
      tell("the process has died and starts anew");
      life = openLife(base, reached, faults, meanwhile);
    } else {
      life.goOn();
    }
  }

  /** Nobody waits so long that what it works on is given to others. */
  function meanwhile(): Promise<void> {
    if (!other && faults.strikes("other_process")) other = actMeanwhile();
    return other ?? Promise.resolve();
  }

  async function actMeanwhile(): Promise<void> {
    clock.advance(chance.below(50_000));
    await happenings.catchUp();
    await doAll(openLife(base, reached, faults)).catch(
      (error) => void complaints.push(messageOf(error)),
    );
  }

  async function doAll({ runners }: Life): Promise<void> {
    tell("another process does all there is to do");
    isStale = true;
    mayHaveNews = true;
    for (const { name, run } of runners) if (name !== "invariants") await run().catch(forgive);
  }

  /** When something has to be done at a place. A chain that nobody uses has nothing to look at. */
  function dueAt(place: DuePlace): number {
    const never = Number.POSITIVE_INFINITY;
    if (place !== "chain_cursors") return sight.dueAt.get(place) ?? never;
    if (!sight.looked) return 0;
    return chain.hasNews(sight.looked) ? (sight.dueAt.get(place) ?? never) : never;
  }

  /** A runner that would find nothing is left out, to save the time. What is suspended falls due only days later. */
  function isIdle(name: string): boolean {
    if (name === "invariants") return true;
    if (name === "files of the bank") return bank.mailbox.waiting() === 0;
    const isChanged = isStale || life.hasWritten();
    const places = placesOf[name];
    if (!places) return !sight.hasUnread && !mayHaveNews && !life.hasTold();
    if (isChanged && (name === "transactions" || name === "payouts")) return false;
    return places.every((place) => dueAt(place) > clock.now());
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
    get heldFiles(): number {
      return sight.heldFiles;
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
      for (const { name, run } of life.runners)
        if (!life.isOver() && !isIdle(name)) await run().catch(forgive);
      liveOn();
    },
    async passToNext(whileMs) {
      const soon = clock.now() + sweepsWithinMs;
      const times = [...sight.dueAt.keys()]
        .map((place) => ({ place, at: dueAt(place) }))
        .filter(({ place, at }) => place !== "chain_deposits" || at < soon)
        .map(({ at }) => at);
      const next = Math.min(...times, happenings.nextAt() ?? Number.POSITIVE_INFINITY);
      const isOver = next === Number.POSITIVE_INFINITY;
      const isIdleOutside = bank.mailbox.waiting() === 0 && sight.heldFiles === 0;
      if (isOver && !sight.hasUnread && isIdleOutside) return false;
      clock.advance((isOver ? 0 : Math.max(0, next - clock.now())) + whileMs);
      await happenings.catchUp();
      return true;
    },
    async pass(ms) {
      clock.advance(ms);
      await happenings.catchUp();
    },
    async inspect() {
      if (complaints.length > 0) throw new Wrong(complaints);
      if (!isStale) return;
      isStale = false;
      mayHaveNews = false;
      sight = await watcher.look();
      taken.push(...sight.taken);
      tellSteps();
      if (sight.wrong.length > 0) throw new Wrong(sight.wrong);
    },
  };
}
