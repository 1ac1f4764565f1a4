import type { Database, Transaction } from "../../src/database/database.ts";
import type { Sql } from "../../src/database/sql.ts";
import { assert, UnavailableError } from "../../src/lib/errors.ts";
import type { RampContext } from "../../src/ramp/engine.ts";
import type { Ports } from "../../src/ramp/ports.ts";
import type { Faults } from "./faults.ts";

/** The process has died: whatever it was doing, it does nothing more. */
class Crash extends Error {
  constructor() {
    super("simulated: the process has died");
    this.name = "Crash";
  }
}

/** One life of the service's process, with a database and an outside that can fail it. */
export type Life = {
  context: RampContext;
  /** Lets it die at the point of its work with this number, counted from now. */
  dieAt(point: number): void;
  isOver(): boolean;
  /** Whether anything may have been written. */
  hasWritten(): boolean;
  /** Begins another piece of work: nothing has been written for it, and no death is ahead. */
  goOn(): void;
};

/** Work that takes more statements and calls than these will never end. */
const pointsMost = 3_000;

/** Begins a life. `meanwhile` is what others do while the process waits for somebody outside. */
export function openLife(
  base: RampContext,
  faults: Faults,
  meanwhile: () => Promise<void> = async () => {},
): Life {
  let isOver = false;
  let pointsLeft = Number.POSITIVE_INFINITY;
  let points = 0;
  let hasWritten = false;

  /** Every statement, commit and call is a point at which the process may die, before it and after it. */
  function pass(): void {
    assert(++points < pointsMost, "the work comes to an end");
    if (--pointsLeft <= 0) isOver = true;
    if (isOver) throw new Crash();
  }

  async function call<Result>(work: () => Promise<Result>): Promise<Result> {
    pass();
    const result = await work();
    pass();
    return result;
  }

  function note({ text }: Sql): void {
    if (!/^\s*select\b/i.test(text)) hasWritten = true;
  }

  function run<Row extends object>(on: Pick<Database, "query">, statement: Sql): Promise<Row[]> {
    if (faults.strikes("database_unreachable")) throw unreachable();
    if (faults.strikes("statement_failed")) throw new Error("simulated: a statement failed");
    note(statement);
    return call(() => on.query<Row>(statement));
  }

  const db: Database = {
    ...base.db,
    query: async (statement) => run(base.db, statement),
    async transact(work) {
      const result = await call(() =>
        base.db.transact((tx) => {
          const guarded: Transaction = { ...tx, query: async (statement) => run(tx, statement) };
          return work(guarded);
        }),
      );
      if (faults.strikes("commit_unanswered")) throw unreachable();
      return result;
    },
  };

  return {
    context: { ...base, db, ports: guardedPorts(base.ports, { call, meanwhile }) },
    dieAt(point) {
      pointsLeft = point;
    },
    goOn() {
      pointsLeft = Number.POSITIVE_INFINITY;
      points = 0;
      hasWritten = false;
    },
    isOver: () => isOver,
    hasWritten: () => hasWritten,
  };
}

type Guard = {
  call<Result>(work: () => Promise<Result>): Promise<Result>;
  meanwhile(): Promise<void>;
};

function guardedPorts(ports: Ports, { call, meanwhile }: Guard): Ports {
  async function ask<Result>(work: () => Promise<Result>): Promise<Result> {
    await meanwhile();
    return call(work);
  }
  const { submit, find } = ports.rails.wire;
  const rail: Ports["rails"]["wire"] = {
    async submit(instruction) {
      const submission = await ask(() => submit(instruction));
      // News of a payment may be faster than the answer of whoever took it.
      await meanwhile();
      return submission;
    },
    find: (reference) => ask(() => find(reference)),
  };
  return {
    ...ports,
    rails: { ach: rail, wire: rail, chain: rail },
    news: ports.news.map(({ name, read }) => ({ name, read: (after) => call(() => read(after)) })),
    screening: {
      person: (name) => ask(() => ports.screening.person(name)),
      wallet: (on, address) => ask(() => ports.screening.wallet(on, address)),
    },
  };
}

const unreachable = () => new UnavailableError("simulated: the database does not answer");
