import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../src/database/database.ts";
import { verbatim } from "../../src/database/sql.ts";
import { parseBigints } from "../../src/lib/bigint-json.ts";
import { ledgerAccounts } from "../../src/ramp/ledger/accounts.ts";
import { advance, start } from "../../src/ramp/machine/advance.ts";
import { chainBalances } from "../../src/ramp/rails/evm/chain-books.ts";
import type { RailContext } from "../../src/ramp/rails/rail-context.ts";
import type { Step } from "../../src/ramp/step.ts";
import { bookRules } from "../../src/ramp/store/invariants.ts";
import { rampOfRow } from "../../src/ramp/store/transactions.ts";
import type { PayoutId, Ramp } from "../../src/ramp/transaction.ts";
import type { BankPayment } from "./bank.ts";
import { chainKeys, type Looked, rampChain } from "./chain.ts";
import { findStrangePayments } from "./chain-truth.ts";
import type { World } from "./world.ts";

/** Everything that falls due, by where it stands; `sweeps` are those that have ended and are not noted as such. */
const due = {
  ramp_transactions: "ramp_transactions where true",
  payouts: "payouts where true",
  incoming_wires: "incoming_wires where true",
  deposits: "deposits where true",
  unfiled: "bank_entries where state = 'waiting'",
  unsettled: "bank_entries where state = 'filed'",
  bank_files: "bank_files where true",
  chain_cursors: "chain_cursors where true",
  chain_transactions: "chain_transactions where true",
  // What is frozen stays where it is.
  chain_deposits: `chain_deposits d where sweep_id is null and not is_swept and exists (
    select from deposits b join ramp_transactions r on r.id = b.transaction_id
    where (b.blockchain, b.transaction_hash, b.log_index) =
        (d.blockchain, d.transaction_hash, d.log_index) and b.state = 'final'
      and b.reason is distinct from 'sanctioned' and r.reason is distinct from 'sanctioned')`,
  late_sweeps: "chain_deposits where state = 'final' and not is_swept and sweep_id is not null",
} as const;
export type DuePlace = keyof typeof due | "sweeps";
const leased: readonly string[] = ["payouts", "bank_files", "chain_cursors", "chain_transactions"];

/** A step that was taken, and where it led to. */
export type Taken = { id: string; type: Ramp["type"]; kind: Step["kind"]; state: Ramp["state"] };

/** What somebody sees who looks into all books at once. */
export type Sight = {
  /** What must not be. */
  wrong: readonly string[];
  ramps: readonly Ramp[];
  /** Steps that were not there the last time. */
  taken: readonly Taken[];
  /** Whether there are notices that have not been read. */
  hasUnread: boolean;
  /** When the next thing falls due of each kind, and is not at work. */
  dueAt: ReadonlyMap<DuePlace, number>;
  /** How many files wait for an operator. */
  heldFiles: number;
  /** How far the chain has been looked at; nothing when nobody has begun. */
  looked: Looked | undefined;
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
  "select 'told', source, max(id)::text, null from rail_notices group by source",
  "select 'ramp', id, ramp::text, null from ramp_transactions",
  `select 'step', transaction_id || '#' || version, data::text, ${timeOf("at")} from ramp_steps
    where transaction_id || '#' || version <> all($1)`,
  "select 'file', name, state, null from bank_files where direction = 'in' or state = 'held'",
  "select 'entry', payout_id, rail || ' ' || state, null from bank_entries",
  `select 'payment', asset, amount::text, null from payouts
    where rail = 'chain' and state in ('submitted', 'settled')`,
  `select 'looked', c.next_block || ' ' || c.final_block,
      (select hash from chain_blocks b order by number desc limit 1), null from chain_cursors c`,
  ...Object.entries(due).map(([place, rows]) => {
    const column = leased.includes(place) ? "greatest(due_at, leased_until)" : "due_at";
    return `select 'due', '${place}', '', ${timeOf(`min(${column})`)}
      from ${rows} and due_at is not null`;
  }),
  `select 'due', 'sweeps', '', min(0) from chain_deposits d join chain_transactions t
    on t.id = d.sweep_id and t.state in ('final', 'failed') where not d.is_swept and d.state = 'final'`,
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
export function openWatcher(base: RailContext, world: World): Watcher {
  const { db } = base;
  /** The transactions as their steps make them. */
  const replayed = new Map<string, Ramp>();
  const known: string[] = [];
  /** What was compared with the outside last, and found to be right. */
  let compared = "";

  /** Compares what we have with the outside, unless nothing has changed since. */
  async function compare(looked: Looked | undefined, of: RowsOf): Promise<string[]> {
    const all = ["owned", "file", "entry", "told"].map((what) => of(what));
    const now = JSON.stringify([looked?.finalBlock, ...all]);
    if (now === compared) return [];
    compared = now;
    return differences(base, world, looked, of);
  }

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
      const hasUnread = of("told").some(
        ({ name, value }) => !of("read").some((one) => one.name === name && one.value === value),
      );
      const broken = rows
        .filter(({ what }) => what in bookRules)
        .filter(({ what, name }) => !isOverdue(what, name));
      const strange = ramps.filter((ramp) => !isDeepStrictEqual(ramp, replayed.get(ramp.id)));
      const looked = lookedIn(of("looked")[0]);
      return {
        ramps: ramps.sort(
          (one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1),
        ),
        ...{ taken, hasUnread, looked },
        heldFiles: of("file").filter(({ value }) => value === "held").length,
        wrong: [
          ...world.protests,
          ...broken.map(({ what, name }) => `${what}: ${name}`),
          ...(hasUnread ? [] : await compare(looked, of)),
          ...strange.map(({ id }) => `I11: ${id} is not what its steps make of it`),
          ...misread(world, of),
          ...findStrangePayments(world.chain, ramps, of("payment")),
        ],
        dueAt: new Map(
          of("due").flatMap(({ name, at }) =>
            at === null ? [] : [[name as DuePlace, Number(at)]],
          ),
        ),
      };
    },
  };
}

type RowsOf = (what: string) => readonly Row[];

const versionOf = ({ name }: Row) => Number(name.split("#")[1]);
const byVersion = (one: Row, other: Row) => versionOf(one) - versionOf(other);

function lookedIn(row: Row | undefined): Looked | undefined {
  if (!row) return undefined;
  const [nextBlock = 0, finalBlock = 0] = row.name.split(" ").map(Number);
  return { nextBlock, finalBlock, hash: row.value };
}

/** What takes long is said to be overdue until it ends. */
const isOverdue = (rule: string, offender: string) =>
  rule === "I12" && /^pay-\d+ is not confirmed since/.test(offender);

/** What becomes of a payment that the bank has paid. */
const paid: ReadonlySet<BankPayment["state"] | undefined> = new Set(["settled", "returned"]);

/** What was taken for something that the bank cannot have meant. */
function misread({ bank }: World, of: RowsOf): string[] {
  const taken = of("file").filter(({ value }) => value === "taken");
  const ended = of("entry").filter(({ value }) => value === "ach settled");
  return [
    ...taken
      .filter(({ name }) => bank.mailbox.isOnlyDamaged(name))
      .map(({ name }) => `${name} is damaged and was taken in`),
    ...ended
      .filter(({ name }) => !paid.has(bank.payments.get(name as PayoutId)?.state))
      .map(({ name }) => `${name} is said to be settled, and the bank has not paid it`),
  ];
}

/** I10: what the outside and our books do not agree on. */
async function differences(
  base: RailContext,
  world: World,
  looked: Looked | undefined,
  of: RowsOf,
): Promise<string[]> {
  const left = new Map<string, bigint>();
  const add = (account: string, amount: bigint) => {
    const place = account.replace(/^(hot|unswept):/, "chain:");
    left.set(place, (left.get(place) ?? 0n) + amount);
  };
  const files = of("file").filter(({ value }) => value === "taken");
  const settled = of("entry").filter(({ value }) => value === "ach settled");
  const told = world.toldCents(
    files.map(({ name }) => name),
    new Set(settled.map(({ name }) => name as PayoutId)),
  );
  add(ledgerAccounts.bank(), told);
  if (looked) {
    const { evm, blockTime, giftsAfter } = world.chain;
    const chain = { ...base, chain: rampChain, nodes: evm.nodes, keys: chainKeys, blockTime };
    for (const { account, balance } of await chainBalances(chain)) add(account, balance);
    for (const { symbol } of rampChain.tokens)
      add(`hot:${symbol}.${rampChain.blockchain}`, giftsAfter(looked.finalBlock, symbol));
  }
  for (const { name, value } of of("owned"))
    if (looked || name.startsWith("bank:")) add(name, -BigInt(value));
  return [...left]
    .filter(([, difference]) => difference !== 0n)
    .map(([place, difference]) => `I10: ${place} has ${difference} more than our books say`);
}
