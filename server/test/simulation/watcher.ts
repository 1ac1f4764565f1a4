import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../src/database/database.ts";
import { verbatim } from "../../src/database/sql.ts";
import { parseBigints } from "../../src/lib/bigint-json.ts";
import { advance, start } from "../../src/ramp/machine/advance.ts";
import type { Step } from "../../src/ramp/step.ts";
import { bookRules } from "../../src/ramp/store/invariants.ts";
import { rampOfRow } from "../../src/ramp/store/transactions.ts";
import type { Ramp } from "../../src/ramp/transaction.ts";
import type { World } from "./world.ts";

/** The tables whose rows fall due. */
const dueTables = ["ramp_transactions", "payouts", "incoming_wires", "deposits"] as const;
export type DueTable = (typeof dueTables)[number];

/** A step that was taken, and where it led to. */
export type Taken = { id: string; type: Ramp["type"]; kind: Step["kind"]; state: Ramp["state"] };

/** What somebody sees who looks into all books at once. */
export type Sight = {
  /** What must not be. */
  wrong: readonly string[];
  ramps: readonly Ramp[];
  /** Steps that were not there the last time. */
  taken: readonly Taken[];
  /** How many notices have been read, of all sources. */
  readCount: number;
  /** When the next row of each table falls due, and is not at work. */
  dueAt: ReadonlyMap<DueTable, number>;
};

type Row = { what: string; name: string; value: string; at: string | null };

/** Looks into the books of a story, again and again. */
export type Watcher = { look(): Promise<Sight> };

const timeOf = (column: string) => `extract(epoch from ${column}) * 1000`;

/** Everything in one statement, which is planned once. Steps that are known already are left out. */
const statement = [
  ...Object.entries(bookRules).map(
    ([id, { text }]) =>
      `select '${id}', offender, '', null::numeric from (${text}) as ${id} (offender)`,
  ),
  `select 'owned', name, (-balance)::text, null from ledger_accounts
    where name ~ '^(bank|hot|unswept):'`,
  "select 'read', source, cursor, null from news_cursors",
  "select 'ramp', id, ramp::text, null from ramp_transactions",
  `select 'step', transaction_id || '#' || version, data::text, ${timeOf("at")} from ramp_steps
    where transaction_id || '#' || version <> all($1)`,
  ...dueTables.map(
    (table) => `select 'due', '${table}', '', ${timeOf("min(greatest(due_at, leased_until))")}
      from ${table} where due_at is not null`,
  ),
].join(" union all ");

/** Makes looking possible on the one connection that a database has. */
export async function prepareToWatch(db: Database): Promise<void> {
  await db.query(verbatim("set plan_cache_mode = force_generic_plan"));
  await db.query(
    verbatim(`prepare look (text[]) as
      select what, name, value, at::text from (${statement}) as seen (what, name, value, at)`),
  );
}

/** Begins to watch an empty story. */
export function openWatcher(db: Database, world: World): Watcher {
  /** The transactions as their steps make them. */
  const replayed = new Map<string, Ramp>();
  const known: string[] = [];

  /** Takes one step more; whatever cannot be is left to be found by comparing. */
  function take({ name, value, at }: Row): Taken[] {
    known.push(name);
    const [id = ""] = name.split("#");
    const step = parseBigints(value) as Step;
    const before = replayed.get(id);
    const next =
      step.kind === "created" ? start(step.ramp) : before && advance(before, step, Number(at));
    if (typeof next !== "object") return [];
    replayed.set(id, next.ramp);
    return [{ id, type: next.ramp.type, kind: step.kind, state: next.ramp.state }];
  }

  return {
    async look() {
      const rows = await db.query<Row>(verbatim(`execute look ('{${known.join(",")}}')`));
      const of = (what: string) => rows.filter((row) => row.what === what);
      const taken = of("step").sort(byVersion).flatMap(take);
      const ramps = of("ramp").map(({ value }) => rampOfRow({ ramp: value }));
      const isAllRead = hasReadAll(world, of("read"));
      const broken = rows
        .filter(({ what }) => what in bookRules)
        .filter(({ what, name }) => !isExcused(world, isAllRead, what, name));
      const strange = ramps.filter((ramp) => !isDeepStrictEqual(ramp, replayed.get(ramp.id)));
      return {
        ramps: ramps.sort(
          (one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1),
        ),
        taken,
        readCount: of("read").reduce((sum, { value }) => sum + Number(value), 0),
        wrong: [
          ...world.protests,
          ...broken.map(({ what, name }) => `${what}: ${name}`),
          ...(isAllRead ? await differences(world, of("owned")) : []),
          ...strange.map(({ id }) => `I11: ${id} is not what its steps make of it`),
        ],
        dueAt: new Map(
          of("due").flatMap(({ name, at }) =>
            at === null ? [] : [[name as DueTable, Number(at)]],
          ),
        ),
      };
    },
  };
}

const versionOf = ({ name }: Row) => Number(name.split("#")[1]);
const byVersion = (one: Row, other: Row) => versionOf(one) - versionOf(other);

function hasReadAll(world: World, read: readonly Row[]): boolean {
  return world.ports.news.every(({ name }) => {
    const cursor = read.find((row) => row.name === name)?.value ?? "0";
    return Number(cursor) === world.toldCount(name);
  });
}

/** What nobody has confirmed as far as we know is said to be overdue. */
function isExcused(world: World, isAllRead: boolean, rule: string, offender: string): boolean {
  const [, reference] = /^(pay-\d+) is not confirmed since/.exec(offender) ?? [];
  if (rule !== "I12" || reference === undefined) return false;
  return !isAllRead || world.isUnconfirmed(reference);
}

/** I10: what the outside and our books do not agree on. */
async function differences(world: World, owned: readonly Row[]): Promise<string[]> {
  const left = new Map<string, bigint>();
  const add = (account: string, amount: bigint) => {
    const place = account.replace(/^(hot|unswept):/, "chain:");
    left.set(place, (left.get(place) ?? 0n) + amount);
  };
  for (const { account, balance } of await world.ports.books.balances()) add(account, balance);
  for (const { name, value } of owned) add(name, -BigInt(value));
  return [...left]
    .filter(([, difference]) => difference !== 0n)
    .map(([place, difference]) => `I10: ${place} has ${difference} more than our books say`);
}
