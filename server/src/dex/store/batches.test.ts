import { expect, test } from "vitest";
import { insertDeployment, insertPools } from "../../../test/dex-fixture.ts";
import { useDatabase } from "../../../test/test-database.ts";
import { sql } from "../../database/sql.ts";
import { clearDerived } from "./batches.ts";

const held = useDatabase();

test("emptying the tables takes as long as it takes", async () => {
  const { db } = held;
  const deployment = await insertDeployment(db);
  await insertPools(db, [{ deployment, pool: 0, address: Buffer.alloc(20), token0: 0, token1: 1 }]);
  await db.query(sql`
    create function dawdle() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.6); return null; end $$`);
  await db.query(sql`
    create trigger slow before delete on dex_pools for each statement execute function dawdle()`);
  await db.transact(async (tx) => {
    await tx.query(sql`set local statement_timeout = '300ms'`);
    await clearDerived(tx, deployment);
  });
  expect(await db.query(sql`select pool from dex_pools`)).toEqual([]);
});
