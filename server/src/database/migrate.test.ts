import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { manualClock } from "../../test/manual-clock.ts";
import { useDatabase } from "../../test/test-database.ts";
import { migrate, migrationsFolder, pendingMigrations, readMigrations } from "./migrate.ts";
import { sql } from "./sql.ts";

const held = useDatabase();
const clock = manualClock();
const folder = mkdtempSync(join(tmpdir(), "migrations-"));
afterAll(() => rmSync(folder, { recursive: true }));

const ours = readMigrations(migrationsFolder);
const next = {
  number: ours.length + 1,
  name: "more",
  text: "create table more (id int)",
  hash: "h",
};

describe("migrating", () => {
  test("an up-to-date database does nothing", async () => {
    expect(await migrate(held.db, ours, clock)).toEqual([]);
  });

  test("applies what is new, once, however many services start together", async () => {
    const together = [1, 2, 3, 4].map(() => migrate(held.db, [...ours, next], clock));
    const applied = (await Promise.all(together)).flat();
    expect(applied.map(({ name }) => name)).toEqual(["more"]);
    expect(await held.db.query(sql`select * from more`)).toEqual([]);
  });

  test("refuses a schema that is newer than the build", async () => {
    await expect(migrate(held.db, ours, clock)).rejects.toThrow("Start the newer build again");
  });

  test("that fails half-way leaves nothing behind", async () => {
    const broken = {
      ...next,
      number: next.number + 1,
      text: "create table half (id int); select 1 / 0",
    };
    await expect(migrate(held.db, [...ours, next, broken], clock)).rejects.toThrow(
      "division by zero",
    );
    const [found] = await held.db.query<{ half: string | null }>(
      sql`select to_regclass('half') as half`,
    );
    expect(found?.half).toBeNull();
  });
});

test("a migration that was changed after it had been applied is refused", () => {
  const [first] = ours;
  const applied = [{ number: 1, name: "accounts", hash: "another" }];
  expect(() => pendingMigrations(first ? [first] : [], applied)).toThrow("was changed");
});

test("files must count without gaps", () => {
  writeFileSync(join(folder, "0001-one.sql"), "");
  writeFileSync(join(folder, "0003-three.sql"), "");
  expect(() => readMigrations(folder)).toThrow("0003-three.sql should be number 2");
});
