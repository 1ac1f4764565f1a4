import type { Database, Transaction } from "../../src/database/database.ts";
import type { Sql } from "../../src/database/sql.ts";
import { assert, UnavailableError } from "../../src/lib/errors.ts";
import type { NewsSource, PayoutRail, Ports } from "../../src/ramp/ports.ts";
import type { RailContext } from "../../src/ramp/rails/rail-context.ts";
import { type Connected, connect, type Reached } from "./connect.ts";
import type { Faults } from "./faults.ts";

/** The process has died: whatever it was doing, it does nothing more. */
class Crash extends Error {
  constructor() {
    super("simulated: the process has died");
    this.name = "Crash";
  }
}

/** One life of the service's process, with a database and an outside that can fail it. */
export type Life = Connected & {
  /** Lets it die at the point of its work with this number, counted from now. */
  dieAt(point: number): void;
  isOver(): boolean;
  /** Whether anything may have been written. */
  hasWritten(): boolean;
  /** Whether a bank or a chain may have told something. */
  hasTold(): boolean;
  /** Begins another piece of work: nothing has been written for it, and no death is ahead. */
  goOn(): void;
};

/** Work that takes more statements and calls than these will never end. */
const pointsMost = 6_000;

/** Begins a life. `meanwhile` is what others do while the process waits for somebody outside. */
export function openLife(
  base: RailContext,
  reached: Reached,
  faults: Faults,
  meanwhile: () => Promise<void> = async () => {},
): Life {
  let isOver = false;
  let pointsLeft = Number.POSITIVE_INFINITY;
  let points = 0;
  let hasWritten = false;
  let hasTold = false;

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
    if (/\binto rail_notices\b/.test(text)) hasTold = true;
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

  async function ask<Result>(work: () => Promise<Result>): Promise<Result> {
    await meanwhile();
    return call(work);
  }

  /** What changes something outside: who dies just then knows nothing of it. */
  async function act<Result>(work: () => Promise<Result>): Promise<Result> {
    if (faults.strikes("crash_before_act")) isOver = true;
    const result = await ask(work);
    if (faults.strikes("crash_after_act")) isOver = true;
    pass();
    return result;
  }

  return {
    ...connect({ ...base, db }, guardedOutside(reached, { ask, act }), (ports) =>
      guardedPorts(ports, { act, meanwhile, faults, handedOver: reached.handedOver }),
    ),
    dieAt(point) {
      pointsLeft = point;
    },
    goOn() {
      pointsLeft = Number.POSITIVE_INFINITY;
      points = 0;
      hasWritten = false;
      hasTold = false;
    },
    isOver: () => isOver,
    hasWritten: () => hasWritten,
    hasTold: () => hasTold,
  };
}

type Ask = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** The outside as a process reaches it that may die before and after every call. */
function guardedOutside(
  { exchange, nodes, screening, ...others }: Reached,
  { ask, act }: { ask: Ask; act: Ask },
): Reached {
  return {
    ...others,
    exchange: {
      put: (name, bytes) => act(() => exchange.put(name, bytes)),
      list: () => ask(() => exchange.list()),
      get: (name) => act(() => exchange.get(name)),
      setAside: (name) => act(() => exchange.setAside(name)),
    },
    nodes: {
      ...nodes,
      block: (which) => ask(() => nodes.block(which)),
      transfers: (block) => ask(() => nodes.transfers(block)),
      receipt: (hash) => ask(() => nodes.receipt(hash)),
      nonce: (address, at) => ask(() => nodes.nonce(address, at)),
      balance: (address, token, at) => ask(() => nodes.balance(address, token, at)),
      fees: () => ask(() => nodes.fees()),
      estimateGas: (from, wanted) => ask(() => nodes.estimateGas(from, wanted)),
      send: (raw) => act(() => nodes.send(raw)),
    },
    screening: {
      person: (name) => ask(() => screening.person(name)),
      wallet: (on, address) => ask(() => screening.wallet(on, address)),
    },
  };
}

type Guard = Pick<Reached, "handedOver"> & {
  act: Ask;
  meanwhile(): Promise<void>;
  faults: Faults;
};

/** Rails and news of which the ramp does not know that they lie in its own database: they fail as if they did not. */
function guardedPorts(ports: Ports, { act, meanwhile, faults, handedOver }: Guard): Ports {
  async function mayFail<Result>(
    before: Parameters<Faults["strikes"]>[0],
    after: Parameters<Faults["strikes"]>[0] | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (faults.strikes(before)) throw new Error(`simulated: ${before}`);
    const result = await act(work);
    if (after && faults.strikes(after)) throw new Error(`simulated: ${after}`);
    return result;
  }

  const guardedRail = ({ submit, find }: PayoutRail): PayoutRail => ({
    async submit(instruction) {
      const { reference } = instruction;
      // What a rail has heard of before it does not refuse.
      if (!handedOver.has(reference) && faults.strikes("payout_refused"))
        return { outcome: "refused", why: "refused" };
      handedOver.add(reference);
      const submission = await mayFail("submit_unreachable", "submit_unanswered", () =>
        submit(instruction),
      );
      // News of a payment may be faster than the answer of whoever took it.
      await meanwhile();
      return submission;
    },
    find: (reference) => mayFail("find_unreachable", undefined, () => find(reference)),
  });

  const guardedNews = ({ name, read }: NewsSource): NewsSource => ({
    name,
    read: (after) => mayFail("read_unreachable", "read_unanswered", () => read(after)),
  });

  const { ach, wire, chain } = ports.rails;
  return {
    ...ports,
    rails: { ach: guardedRail(ach), wire: guardedRail(wire), chain: guardedRail(chain) },
    news: ports.news.map(guardedNews),
  };
}

const unreachable = () => new UnavailableError("simulated: the database does not answer");
