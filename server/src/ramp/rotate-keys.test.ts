import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "../../test/test-database.ts";
import { insertUser } from "../accounts/store/users.ts";
import { sql } from "../database/sql.ts";
import { systemRandom as random } from "../lib/random.ts";
import { openSealer } from "../lib/seal.ts";
import { unknownBank } from "./banking/directory.ts";
import { rewrapAll } from "./rotate-keys.ts";
import { insertBankAccount, readBankAccount } from "./store/bank-accounts.ts";
import { sealedColumns } from "./store/sealed-values.ts";

const held = useDatabase();
const digestKey = Buffer.alloc(32);
const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const before = openSealer({ keys: [older], digestKey, random });
const rotating = openSealer({ keys: [newer, older], digestKey, random });
const after = openSealer({ keys: [newer], digestKey, random });

const now = new Date(0);
const userId = "usr-1";
const accountCount = 1_203;
const holder = { ...unknownBank.address, fullName: "Ada Lovelace", phone: "", postalCode: "" };
const read = (sealer: typeof after, id: string) => readBankAccount(held.db, { sealer }, userId, id);

beforeAll(async () => {
  const person = { name: "Ada Lovelace", email: "ada@example.com", verification: "none" } as const;
  await insertUser(held.db, { id: userId, masterId: null, ...person, now });
  await held.db.transact(async (tx) => {
    for (let number = 1; number <= accountCount; number++) {
      await insertBankAccount(
        tx,
        { sealer: before },
        {
          id: `bac-${number}`,
          userId,
          routingNumber: "021000021",
          accountNumber: String(10_000 + number),
          accountType: "checking",
          holder,
          bankName: "",
          bankAddress: unknownBank.address,
          now,
        },
      );
    }
    await tx.query(sql`
      insert into webhook_endpoints (id, user_id, url, event_types, description, secret, previous_secret,
        created_at, updated_at)
      values ('whk-1', ${userId}, '', '{}', '', ${before.seal("new", "a")}, ${before.seal("old", "b")}, ${now}, ${now}),
        ('whk-2', ${userId}, '', '{}', '', ${before.seal("new", "c")}, null, ${now}, ${now})`);
    await tx.query(sql`
      insert into incoming_wires (id, source, bank_reference, cents, sealed, state, received_at, updated_at)
      values ('wir-1', 'bank', '1', 100, ${before.seal("wire", "d")}, 'suspense', ${now}, ${now})`);
    for (const route of ["POST /a", "POST /b"]) {
      await tx.query(sql`
        insert into idempotency_keys (user_id, key, route, fingerprint, answer, created_at, due_at)
        values (${userId}, 'key', ${route}, '', ${before.seal("answer", route)}, ${now}, ${now})`);
    }
  });
});

test("two rows' sealed values cannot change places", async () => {
  const swap = sql`
    update bank_accounts set sealed = other.sealed from bank_accounts other
    where bank_accounts.id in ('bac-1', 'bac-2') and other.id in ('bac-1', 'bac-2') and other.id <> bank_accounts.id`;
  await held.db.query(swap);
  await expect(read(before, "bac-1")).rejects.toThrow("belongs to another place");
  await held.db.query(swap);
  expect(await read(before, "bac-1")).toMatchObject({ accountNumber: "10001" });
});

test("everything is put under the newest key, and opens with it alone", async () => {
  const told: [number, number][] = [];
  const context = { db: held.db, progressed: (...each: [number, number]) => told.push(each) };
  const total = accountCount + 6;
  expect(await rewrapAll({ ...context, sealer: rotating })).toEqual({ rewrapped: total });
  expect(told.at(-1)).toEqual([total, total]);
  expect(told.length).toBeGreaterThan(4);
  expect(await rewrapAll({ ...context, sealer: rotating })).toEqual({ rewrapped: 0 });

  for (const id of ["bac-1", "bac-2", `bac-${accountCount}`]) {
    expect(await read(after, id)).toMatchObject({ id, holder });
    await expect(read(before, id)).rejects.toThrow("SLIPWAY_ENCRYPTION_KEYS");
  }
  const [webhook] = await held.db.query<{ secret: Buffer; previous: Buffer }>(sql`
    select secret, previous_secret as previous from webhook_endpoints where id = 'whk-1'`);
  expect(webhook && [after.open(webhook.secret, "a"), after.open(webhook.previous, "b")]).toEqual([
    "new",
    "old",
  ]);
  const answers = await held.db.query<{ route: string; answer: Buffer }>(sql`
    select route, answer from idempotency_keys`);
  expect(answers.map(({ route, answer }) => after.open(answer, route))).toEqual([
    "answer",
    "answer",
  ]);
});

test("no sealed column is left out", async () => {
  const columns = await held.db.query<{ name: string }>(sql`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea'
      and column_name similar to '%(sealed|secret|answer)' order by 1`);
  expect(columns.map(({ name }) => name)).toEqual(
    sealedColumns.map(({ table, column }) => `${table}.${column}`).sort(),
  );
});
