import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "../../test/test-database.ts";
import type { Transaction } from "../database/database.ts";
import { prepared, type Sql, sql, verbatim } from "../database/sql.ts";
import { behindWall, enterWall, leaveWall } from "./wall.ts";

const held = useDatabase();
const owners = ["1", "2"];
const now = new Date(Date.UTC(2026, 0, 1));

/** Tables with rows of customers, and what of a row names its owner. */
const walled: Record<string, string> = {
  users: "id",
  verification_decisions: "user_id",
  wallets: "user_id",
  bank_accounts: "user_id",
  quotes: "user_id",
  ramp_transactions: "user_id",
  ramp_steps: "transaction_id",
  journals: "transaction_id",
  entries: "account",
  event_counters: "user_id",
  ramp_events: "user_id",
  webhook_endpoints: "user_id",
  webhook_deliveries: "user_id",
  api_requests: "user_id",
  api_request_counts: "user_id",
};

/** A row of everything, for one account. */
function rowsOf(owner: string): Sql[] {
  const [user, wallet, bank, id] = ["usr", "wal", "bac", "txn"].map((kind) => `${kind}-${owner}`);
  return [
    sql`insert into users values (${user}, null, 'Some Body', ${user}, 'none', ${now}, ${now})`,
    sql`insert into verification_decisions (user_id, status, reason, decided_by, at)
      values (${user}, 'none', '', '', ${now})`,
    newWallet(user ?? "", wallet ?? ""),
    sql`insert into bank_accounts (id, user_id, routing_number, account_number_last4, account_type, sealed, digest,
        bank_name, bank_address, bank_updated_at, created_at, updated_at)
      values (${bank}, ${user}, '021000021', '1234', 'checking', '', '', '', '{}', ${now}, ${now}, ${now})`,
    sql`insert into ramp_transactions (id, user_id, type, settlement_method, state, version, is_open, source_order_id,
        destination_order_id, wallet_id, bank_account_id, blockchain, currency, deposit_address, ramp,
        created_at, updated_at)
      values (${id}, ${user}, 'OFF_RAMP', 'ACH', 'x', 1, true, ${`ord-1${owner}`}, ${`ord-2${owner}`}, ${wallet},
        ${bank}, 'base', 'USDC', ${owner}, '{}', ${now}, ${now})`,
    sql`insert into ramp_steps values (${id}, 1, 'x', '{}', 'x', ${now})`,
    sql`insert into quotes (id, user_id, quote, created_at, expires_at)
      values (${`quo-${owner}`}, ${user}, '{}', ${now}, ${now})`,
    sql`insert into ledger_accounts (name, asset, is_guarded) values (${`a ${id}`}, 'USD', false), (${`b ${id}`}, 'USD', false)`,
    sql`with journal as (
        insert into journals (fact, kind, transaction_id, at) values (${id}, 'x', ${id}, ${now}) returning id)
      insert into entries select id, name, amount from journal,
        (values (${`a ${id}`}, 5), (${`b ${id}`}, -5)) as lines (name, amount)`,
    sql`insert into event_counters values (${user}, 1)`,
    sql`insert into ramp_events (user_id, sequence, id, type, about_user_id, payload, created_at)
      values (${user}, 1, ${`evt-${owner}`}, 'x', ${user}, '', ${now})`,
    sql`insert into webhook_endpoints (id, user_id, url, event_types, description, secret, created_at, updated_at)
      values (${`whk-${owner}`}, ${user}, '', '{}', '', '', ${now}, ${now})`,
    sql`insert into webhook_deliveries
        (id, endpoint_id, user_id, sequence, event_id, event_type, state, created_at, updated_at)
      values (${`del-${owner}`}, ${`whk-${owner}`}, ${user}, 1, ${`evt-${owner}`}, 'x', 'pending', ${now}, ${now})`,
    sql`insert into api_requests (id, user_id, key_id, at, method, route, path, status, milliseconds, errors)
      values (${`req-${owner}`}, ${user}, '', ${now}, 'GET', '/', '/', 200, 1, '')`,
    sql`insert into api_request_counts values (${now}, ${user}, 'GET', '/', 200, 1, 0)`,
  ];
}

function newWallet(user: string, wallet: string): Sql {
  return sql`insert into wallets (id, user_id, blockchain, address, address_key, created_at, updated_at)
    values (${wallet}, ${user}, 'base', ${wallet}, ${wallet}, ${now}, ${now})`;
}

const everythingIn = (table: string, column: string) =>
  sql`select ${verbatim(column)} as owner from ${verbatim(table)}`;

beforeAll(async () => {
  for (const row of owners.flatMap(rowsOf)) await held.db.query(row);
});

describe("behind the wall", () => {
  test.each(Object.entries(walled))(
    "a query for all %s finds the account's own",
    async (table, column) => {
      const all = await held.db.query(everythingIn(table, column));
      expect(all.length).toBeGreaterThan(1);
      const own = await behindWall(held.db, "usr-1", (tx) =>
        tx.query<{ owner: string }>(everythingIn(table, column)),
      );
      expect(own.length).toBe(all.length / 2);
      for (const { owner } of own) expect(owner).toMatch(/-1$/);
    },
  );

  test.each(Object.entries(walled))("without an account there are no %s", async (table, column) => {
    const seen = held.db.transact(async (tx) => {
      await enterWall(tx, "");
      return tx.query(everythingIn(table, column));
    });
    expect(await seen).toEqual([]);
    const unset = held.db.transact(async (tx) => {
      await tx.query(sql`set local role slipway_customer`);
      return tx.query(everythingIn(table, column));
    });
    // A connection that never heard of an account says so.
    expect(await unset.catch((error) => String(error))).toSatisfy((seen: unknown) =>
      Array.isArray(seen) ? seen.length === 0 : /app\.user_id/.test(String(seen)),
    );
  });

  test("so does a statement that the connection has planned outside or for another account", async () => {
    const ids = (tx: Transaction) =>
      tx.query<{ id: string }>(prepared`select id from wallets order by id`);
    const [everybody, one, other] = await held.db.transact(async (tx) => {
      // So often that the server keeps one plan for all of them.
      for (let run = 0; run < 8; run++) await ids(tx);
      const all = await ids(tx);
      await enterWall(tx, "usr-1");
      const first = await ids(tx);
      await enterWall(tx, "usr-2");
      const second = await ids(tx);
      await leaveWall(tx);
      expect(await ids(tx)).toEqual(all);
      return [all, first, second];
    });
    expect(one).toEqual([{ id: "wal-1" }]);
    expect(other).toEqual([{ id: "wal-2" }]);
    expect(everybody).toEqual([...one, ...other]);
  });

  test("nothing can be written for somebody else", async () => {
    const write = (statement: Sql) => behindWall(held.db, "usr-1", (tx) => tx.query(statement));
    await expect(write(newWallet("usr-2", "wal-22"))).rejects.toThrow("row-level security");
    await expect(
      write(sql`update wallets set user_id = 'usr-2' where user_id = 'usr-1'`),
    ).rejects.toThrow("row-level security");
    expect(
      await write(sql`update wallets set address = 'stolen' where id = 'wal-2' returning id`),
    ).toEqual([]);
    expect(await write(newWallet("usr-1", "wal-11"))).toEqual([]);
    await held.db.query(sql`delete from wallets where id = 'wal-11'`);
  });

  test.each([
    "audit_log",
    "idempotency_keys",
    "api_keys",
    "payouts",
    "incoming_wires",
    "kill_switches",
  ])("%s is out of reach", async (table) => {
    const reading = behindWall(held.db, "usr-1", (tx) => tx.query(everythingIn(table, "1")));
    await expect(reading).rejects.toThrow("permission denied");
  });

  test("every table with rows of accounts that can be read is walled", async () => {
    const tables = await held.db.query<{ name: string; isWalled: boolean }>(sql`
      select class.relname as name, class.relrowsecurity as "isWalled" from pg_class as class
      where class.relkind in ('r', 'p') and class.relnamespace = 'public'::regnamespace
        and has_table_privilege('slipway_customer', class.oid, 'select')
        and (class.relrowsecurity or exists (
          select from pg_attribute where attrelid = class.oid and attname in ('user_id', 'transaction_id')))
      order by 1`);
    expect(tables.filter(({ isWalled }) => !isWalled)).toEqual([]);
    expect(tables.map(({ name }) => name)).toEqual(Object.keys(walled).sort());
  });

  test("one can leave, and the next transaction knows of nothing", async () => {
    const all = { name: "wallets", owner: "user_id" };
    const seen = await held.db.transact(async (tx) => {
      await enterWall(tx, "usr-1");
      const inside = await tx.query(everythingIn(all.name, all.owner));
      await leaveWall(tx);
      return [inside.length, (await tx.query(everythingIn(all.name, all.owner))).length];
    });
    expect(seen).toEqual([1, 2]);
    await behindWall(held.db, "usr-1", async () => {});
    expect((await held.db.query(everythingIn(all.name, all.owner))).length).toBe(2);
  });
});
