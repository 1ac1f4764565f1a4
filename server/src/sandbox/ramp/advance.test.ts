import { beforeEach, describe, expect, test } from "vitest";
import { manualClock } from "../../../test/manual-clock.ts";
import { resetSandbox, sandboxContext, toWallet } from "../../../test/sandbox-ramp.ts";
import { recordingLog } from "../../../test/silent-log.ts";
import { useDatabase } from "../../../test/test-database.ts";
import type { DueRunner } from "../../database/due.ts";
import { sql } from "../../database/sql.ts";
import { listNextDue } from "../store/due-times.ts";
import { openTimeMachine } from "./advance.ts";
import { openSandboxClock } from "./clock.ts";
import { openSandboxPorts, sandboxRunners } from "./ports.ts";

const held = useDatabase();
/** 17:00 in New York on a Friday. */
const friday = Date.UTC(2026, 10, 13, 22);
const minuteMs = 60_000;

beforeEach(() => resetSandbox(held.db));

/** A sandbox whose news somebody reads at once. */
async function openWorld(
  given: {
    runners?: DueRunner[];
    stopsMost?: { exact: number; inStrides: number };
    onSleep?: () => void;
  } = {},
) {
  const { db } = held;
  const { lines, log } = recordingLog();
  const clock = await openSandboxClock(db, {
    ...manualClock(friday),
    sleep: async () => given.onSleep?.(),
  });
  const context = sandboxContext({ db, clock, log });
  const ports = openSandboxPorts(context);
  const readNews: DueRunner = {
    name: "news",
    run: async () => {
      await db.query(sql`
        insert into news_cursors select source, max(id)::text from sandbox_notices group by source
        on conflict (source) do update set cursor = excluded.cursor`);
      return 0;
    },
  };
  const runners = given.runners ?? sandboxRunners(context);
  const time = openTimeMachine({ ...given, db, clock, log, runners: [...runners, readNews] });
  const wish = (at: number) =>
    db.query(sql`update sandbox_clock set wished_at = ${new Date(at)}`).then(time.fulfilWish);
  return { db, clock, ports, lines, time, wish };
}

describe("moving the sandbox's time", () => {
  test("does everything on the way, each thing at its time", async () => {
    const seen: [string, number][] = [];
    const world = await openWorld({
      runners: [
        {
          name: "watch",
          run: async () => {
            const now = world.clock.now();
            const rows = await held.db.query<{ reference: string }>(sql`
              update sandbox_payments set due_at = null where due_at <= ${new Date(now)}
              returning reference`);
            seen.push(
              ...rows.map(({ reference }) => [reference, now - friday] as [string, number]),
            );
            return rows.length;
          },
        },
      ],
    });
    for (const number of [1, 2, 3]) await world.ports.rails.chain.submit(toWallet(`pay-${number}`));
    await held.db.query(sql`
      update sandbox_payments set due_at = due_at + case reference
        when 'pay-1' then interval '9 minutes' when 'pay-2' then interval '0' else interval '3 days'
      end`);
    await world.wish(friday + 11 * minuteMs);
    expect(seen).toEqual([
      ["pay-2", minuteMs],
      ["pay-1", 10 * minuteMs],
    ]);
    expect(world.clock.now()).toBe(friday + 11 * minuteMs);
    const { rows } = await listNextDue(held.db, world.clock.now());
    expect(rows.map(({ id, dueAt }) => [id, dueAt])).toEqual([
      ["pay-3", friday + 3 * 24 * 60 * minuteMs + minuteMs],
    ]);
  });

  test("comes to an end though something stays due for ever", async () => {
    const world = await openWorld({ runners: [] });
    await world.ports.rails.chain.submit(toWallet("pay-1"));
    await world.wish(friday + 5 * minuteMs);
    expect(world.clock.now()).toBe(friday + 5 * minuteMs);
  });

  test("comes to an end though something always finds more to do, and says so", async () => {
    const world = await openWorld({ runners: [{ name: "busy", run: async () => 1 }] });
    await world.ports.rails.chain.submit(toWallet("pay-1"));
    await world.clock.advanceTo(friday + minuteMs);
    await world.time.settle();
    expect(world.lines.join()).toContain("does not come to an end");
  });

  test("goes on when some work fails, and says so", async () => {
    const fails: DueRunner = { name: "broken", run: () => Promise.reject(new Error("no luck")) };
    const world = await openWorld({ runners: [fails] });
    await world.wish(friday + 1);
    expect(world.clock.now()).toBe(friday + 1);
    expect(world.lines.join()).toContain("no luck");
  });

  test("takes long strides when too much falls due", async () => {
    let times = 0;
    const world = await openWorld({
      stopsMost: { exact: 3, inStrides: 20 },
      runners: [
        {
          name: "every second",
          run: async () => {
            const now = world.clock.now();
            const put = await held.db.query(sql`
              update sandbox_payments set due_at = ${new Date(now + 1_000)}
              where due_at <= ${new Date(now)} returning reference`);
            times += put.length;
            return put.length;
          },
        },
      ],
    });
    await world.ports.rails.chain.submit(toWallet("pay-1"));
    await world.wish(friday + 24 * 60 * minuteMs);
    expect(world.clock.now()).toBe(friday + 24 * 60 * minuteMs);
    expect(times).toBeGreaterThan(10);
    expect(times).toBeLessThan(30);
    expect(world.lines.join()).toContain("too much falls due");
  });

  test("waits for rows that somebody else is at", async () => {
    let release = () => {};
    const world = await openWorld({ onSleep: () => release() });
    await world.ports.rails.chain.submit(toWallet("pay-1"));
    await world.clock.advanceTo(friday + minuteMs);
    const isLocked = new Promise<void>((locked) => {
      held.db.transact(async (tx) => {
        await tx.query(sql`select from sandbox_payments for update`);
        locked();
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      });
    });
    await isLocked;
    await world.time.settle();
    expect((await world.ports.news[1]?.read(null))?.notices).toMatchObject([
      { kind: "payout_settled", reference: "pay-1" },
    ]);
  });

  test("is done by one at a time, and whoever waits to settle shares a turn", async () => {
    let inside = 0;
    let runs = 0;
    const alone: DueRunner = {
      name: "alone",
      run: async () => {
        runs++;
        expect(++inside).toBe(1);
        await held.db.query(sql`select 1`);
        inside--;
        return 0;
      },
    };
    const world = await openWorld({ runners: [alone] });
    await world.ports.rails.chain.submit(toWallet("pay-1"));
    await world.clock.advanceTo(friday + minuteMs);
    const { settle, fulfilWish } = world.time;
    await Promise.all([fulfilWish(), settle(), settle(), settle(), fulfilWish()]);
    // Each looks twice at what stays due, and a wish that is fulfilled does so before, at the end and after.
    expect(runs).toBe(5 + 2 + 5);
    expect(world.lines).toEqual([]);
  });
});
