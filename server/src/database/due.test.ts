import { beforeEach, expect, test } from "vitest";
import { manualClock } from "../../test/manual-clock.ts";
import { recordingLog } from "../../test/silent-log.ts";
import { useDatabase } from "../../test/test-database.ts";
import { type DueWork, dueRunner } from "./due.ts";
import { sql } from "./sql.ts";

const held = useDatabase();
const clock = manualClock();
const { log, lines } = recordingLog();

type Task = { id: number };
const handled: number[] = [];

const work: DueWork<Task> = {
  name: "tasks",
  take: (now) => sql`
    select id from tasks where due_at <= ${now} order by due_at, id limit 1 for update skip locked`,
  async handle(tx, { id }) {
    if (id === 13) throw new Error("thirteen never works");
    await tx.query(sql`update tasks set due_at = null, times = times + 1 where id = ${id}`);
    handled.push(id);
  },
  postpone: ({ id }, now) =>
    sql`update tasks set due_at = ${new Date(now.getTime() + 60_000)} where id = ${id}`,
};

beforeEach(async () => {
  handled.length = 0;
  await held.db.query(sql`drop table if exists tasks`);
  await held.db.query(
    sql`create table tasks (id int primary key, due_at timestamptz, times int not null default 0)`,
  );
});

const add = (id: number, inMs: number) =>
  held.db.query(sql`insert into tasks values (${id}, ${new Date(clock.now() + inMs)})`);

test("rows are handled when their time has come, the longest due first", async () => {
  await add(1, 5_000);
  await add(2, 1_000);
  const runner = dueRunner({ db: held.db, clock, log }, work);
  expect(await runner.run()).toBe(0);
  clock.advance(1_000);
  expect(await runner.run()).toBe(1);
  clock.advance(10_000);
  expect(await runner.run()).toBe(1);
  expect(handled).toEqual([2, 1]);
});

test("many runners share the work and no row is handled twice", async () => {
  for (let id = 100; id < 160; id++) await add(id, 0);
  const runners = [1, 2, 3, 4].map(() => dueRunner({ db: held.db, clock, log }, work));
  const counts = await Promise.all(runners.map((runner) => runner.run()));
  expect(counts.reduce((sum, count) => sum + count)).toBe(60);
  const wrong = await held.db.query(sql`select from tasks where times <> 1 or due_at is not null`);
  expect(wrong).toEqual([]);
});

test("a row that fails is put off, said in the log, and keeps nobody from their turn", async () => {
  await add(13, 0);
  await add(14, 0);
  const runner = dueRunner({ db: held.db, clock, log }, work);
  await runner.run();
  expect(handled).toEqual([14]);
  expect(lines.join("")).toContain("thirteen never works");
  const [row] = await held.db.query<{ dueAt: Date }>(
    sql`select due_at as "dueAt" from tasks where id = 13`,
  );
  expect(row?.dueAt.getTime()).toBe(clock.now() + 60_000);
});
