import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../src/database/database.ts";
import { sql, verbatim } from "../../src/database/sql.ts";
import { replay } from "../../src/ramp/machine/advance.ts";
import { bookRules, listLately, type Told } from "../../src/ramp/store/invariants.ts";
import type { World } from "./world.ts";

/** More transactions than any story has. */
const rampsMost = 100;

const allRules = Object.entries(bookRules)
  .map(
    ([id, { text }]) =>
      `select '${id}' as what, offender as name, '' as value from (${text}) as ${id} (offender)`,
  )
  .join(" union all ");

/** All rules, what our books say that we own, and what we have read, in one statement that is planned once. */
const checkStatement = `
  prepare check_books as ${allRules}
  union all select 'owned', name, (-balance)::text from ledger_accounts where name ~ '^(bank|hot|unswept):'
  union all select 'read', source, cursor from news_cursors`;

/** Makes the check ready on the connection that is used for it. */
export async function prepareCheck(db: Database): Promise<void> {
  await db.query(sql`deallocate all`);
  await db.query(verbatim(checkStatement));
}

/** Everything that is wrong now, and the transactions as they are. */
export async function check(
  db: Database,
  world: World,
): Promise<{ wrong: string[]; told: Told[] }> {
  const rows = await db.query<{ what: string; name: string; value: string }>(
    sql`execute check_books`,
  );
  const told = await listLately(db, rampsMost);
  const of = (what: string) => rows.filter((row) => row.what === what);
  const broken = rows.filter(
    ({ what, name }) => what in bookRules && !isExcused(world, what, name),
  );
  return {
    told,
    wrong: [
      ...world.protests,
      ...broken.map(({ what, name }) => `${what}: ${name}`),
      ...(await differences(world, of("read"), of("owned"))),
      ...told
        .filter((one) => !isReplayed(one))
        .map(({ ramp }) => `I11: ${ramp.id} is not its steps`),
    ],
  };
}

/** What nobody has confirmed is said to be overdue, and is. */
function isExcused(world: World, rule: string, offender: string): boolean {
  const [, reference] = /^(pay-\d+) is not confirmed since/.exec(offender) ?? [];
  return rule === "I12" && reference !== undefined && world.isUnconfirmed(reference);
}

/** I10, whenever we have read everything that was told. */
async function differences(
  world: World,
  read: readonly { name: string; value: string }[],
  owned: readonly { name: string; value: string }[],
): Promise<string[]> {
  const isAllRead = world.ports.news.every(({ name }) => {
    const cursor = read.find((row) => row.name === name)?.value ?? "0";
    return Number(cursor) === world.toldCount(name);
  });
  if (!isAllRead) return [];
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

function isReplayed({ ramp, steps }: Told): boolean {
  try {
    return isDeepStrictEqual(replay(steps), ramp);
  } catch {
    return false;
  }
}
