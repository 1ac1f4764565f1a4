import type { Address } from "../../src/database/address.ts";
import { type Database, openDatabase } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import {
  addDays,
  addOpenDays,
  bankCalendar,
  newYorkDay,
  newYorkTime,
} from "../../src/lib/calendar.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { assert } from "../../src/lib/errors.ts";
import { systemRandom } from "../../src/lib/random.ts";
import type { PayoutRail, Ports } from "../../src/ramp/ports.ts";
import { rampRunners } from "../../src/ramp/run-ramp.ts";
import { sandboxBank } from "../../src/sandbox/ramp/bank/sandbox-bank.ts";
import { openSandboxPorts, sandboxRunners } from "../../src/sandbox/ramp/ports.ts";
import { silentLog as log } from "../silent-log.ts";
import { type Points, portsWithPoints, withPoints } from "./points.ts";
import { type Plot, sealer, startStory } from "./stories.ts";

export type MovedClock = Clock & { moveTo(at: number): void };

/** A clock that stands still until it is moved, and tells somebody where to. */
export function movedClock(start: number, moved: (at: number) => void = () => {}): MovedClock {
  let now = start;
  return {
    now: () => now,
    sleep: systemClock.sleep,
    moveTo(at) {
      now = Math.max(now, at);
      moved(now);
    },
  };
}

const calendar = bankCalendar();

/** The next Wednesday noon with no holiday in the two weeks after it: a day has names for so many files only. */
export function quietNoonAfter(at: number): number {
  let day = addDays(newYorkDay(at), 1);
  const isQuiet = () => addOpenDays(calendar, day, 10) === addDays(day, 14);
  while (new Date(day).getUTCDay() !== 3 || !isQuiet()) day = addDays(day, 1);
  return newYorkTime(day, 12);
}

export function openTestDatabase(address: Address, poolSize: number): Database {
  const options = { clock: systemClock, random: systemRandom, log };
  return openDatabase({ addresses: [address], poolSize, ...options });
}

const roundsMost = 500;

/** What only looks at what the others did. */
const isLeftOut = /^invariants$|^statements/;

/** What the sandbox's bank and chains work with. */
export function sandboxOf(db: Database, clock: Clock) {
  return { db, clock, random: systemRandom, sealer, log, bank: sandboxBank };
}

/** One life of the service: it does what is left of a story, to its end or until it dies on the way. */
export async function live(
  { db, outside }: { db: Database; outside: Database },
  points: Points,
  clock: MovedClock,
  { story, key }: Plot,
): Promise<string> {
  const mortal = withPoints(db, points);
  const sandbox = openSandboxPorts(sandboxOf(outside, clock));
  const ports = portsWithPoints({ ...sandbox, rails: watched(sandbox.rails, outside) }, points);
  const context = { db: mortal, clock, random: systemRandom, sealer, ports, log };
  const id = await startStory({ context, outside }, { story, key });
  const runners = [...rampRunners(context), ...sandboxRunners(sandboxOf(mortal, clock))].filter(
    ({ name }) => !isLeftOut.test(name),
  );
  for (let rounds = 0; rounds < roundsMost; rounds++) {
    const dueAt = await nextDueAt(db);
    if (dueAt === undefined) return id;
    clock.moveTo(dueAt);
    for (const runner of runners) await runner.run();
  }
  assert(false, `${story} comes to an end`);
}

/** Rails that write down when they are told what they know already: another bank might pay it twice. */
function watched(rails: Ports["rails"], outside: Database): Ports["rails"] {
  const watch = (rail: PayoutRail): PayoutRail => ({
    ...rail,
    async submit(instruction) {
      const { reference } = instruction;
      if (await rail.find(reference))
        await outside.query(sql`insert into told_twice (reference) values (${reference})`);
      return rail.submit(instruction);
    },
  });
  return { ach: watch(rails.ach), wire: watch(rails.wire), chain: watch(rails.chain) };
}

/** When there is something to do, for us or outside, that nobody has taken for himself: news at once. */
async function nextDueAt(db: Database): Promise<number | undefined> {
  const [row] = await db.query<{ dueAt: Date | null }>(sql`
    select least(
      (select min(greatest(due_at, leased_until)) from ramp_transactions where due_at is not null),
      (select min(greatest(due_at, leased_until)) from payouts where due_at is not null),
      (select min(due_at) from sandbox_payments), (select min(due_at) from sandbox_transfers),
      (select min(due_at) from sandbox_bank_files), (select min(due_at) from sandbox_sent_files),
      (select min(due_at) from bank_entries),
      (select min(greatest(due_at, leased_until)) from bank_files where due_at is not null),
      (select min(at) from sandbox_notices notices left join news_cursors using (source)
        where notices.id > coalesce(cursor, '0')::bigint),
      (select min(at) from rail_notices notices left join news_cursors using (source)
        where notices.id > coalesce(cursor, '0')::bigint)
    ) as "dueAt"`);
  return row?.dueAt?.getTime();
}
