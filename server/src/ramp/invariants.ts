import { isDeepStrictEqual } from "node:util";
import type { Invariants } from "@slipway/sdk";
import type { Queryable } from "../database/database.ts";
import type { DueRunner } from "../database/due.ts";
import { messageOf } from "../lib/errors.ts";
import type { RampContext } from "./engine.ts";
import { replay } from "./machine/advance.ts";
import type { Ports } from "./ports.ts";
import { bookRules, findOffenders, listLately, listOwned, type Told } from "./store/invariants.ts";
import { findCursor } from "./store/news.ts";

/** What must always be true, in the words in which it is published. */
const rules = {
  I1: "every journal sums up to zero in each asset",
  I2: "what is written in the books and in the steps cannot be changed",
  I3: "nobody takes more out of a transaction than is in it",
  I4: "every balance is the sum of its entries",
  I5: "nothing is left in a transaction that has ended",
  I6: "a transaction has at most one payout under way",
  I7: "completed means paid and confirmed; ended without it means flagged",
  I8: "every wire and every deposit counts once, for the transaction it belongs to",
  I9: "what came in went out, is held, or is a fee, to the cent",
  I10: "the banks and the chains hold for us what our books say",
  I11: "a transaction is what its steps make of it",
  I12: "what was sent is confirmed in time",
} as const;
type RuleId = keyof typeof rules;

/** How many of the transactions that changed last are made anew from their steps. */
const replaysUsually = 100;

type InvariantsContext = Pick<RampContext, "db" | "ports">;

/** Checks that the books are right, rule by rule, and says in words what is wrong. */
export async function checkInvariants(
  { db, ports }: InvariantsContext,
  replays = replaysUsually,
): Promise<Invariants> {
  const checks: Invariants["checks"] = [];
  for (const id of Object.keys(rules) as RuleId[]) {
    const finding = await check(db, ports, id, replays);
    const isOk = typeof finding === "string" || finding.length === 0;
    const detail =
      typeof finding === "string" ? finding : isOk ? "holds" : `broken by ${finding.join("; ")}`;
    checks.push({ id, ok: isOk, detail: `${rules[id]}: ${detail}` });
  }
  return { ok: checks.every(({ ok }) => ok), checks };
}

/** What breaks a rule; a text when it could not be looked at, and why. */
async function check(
  db: Queryable,
  ports: Ports,
  id: RuleId,
  replays: number,
): Promise<string[] | string> {
  if (id === "I10") return compareOutside(db, ports);
  const offenders = await findOffenders(db, bookRules[id]);
  return id === "I11" ? [...offenders, ...(await replayLately(db, replays))] : offenders;
}

async function replayLately(db: Queryable, count: number): Promise<string[]> {
  const told = await listLately(db, count);
  return told
    .filter((one) => !isReplayed(one))
    .map(({ ramp }) => `${ramp.id} differs from its steps`);
}

/** Steps of which one could not have happened lead nowhere. */
function isReplayed({ ramp, steps }: Told): boolean {
  try {
    return isDeepStrictEqual(replay(steps), ramp);
  } catch {
    return false;
  }
}

/** Compares with the outside, unless there are news that our books cannot know of. */
async function compareOutside(db: Queryable, { news, books }: Ports): Promise<string[] | string> {
  /** Up to where the news were taken, if that is all there are. */
  const cursorsAtEnd = async () => {
    const cursors = await Promise.all(news.map(({ name }) => findCursor(db, name)));
    const pages = await Promise.all(news.map(({ read }, index) => read(cursors[index] ?? null)));
    return pages.some(({ notices }) => notices.length > 0) ? undefined : cursors;
  };
  try {
    const before = await cursorsAtEnd();
    if (!before) return "not compared just now, there are news that have not been read";
    const outside = sumUp(await books.balances());
    const inside = sumUp(await listOwned(db));
    if (!isDeepStrictEqual(await cursorsAtEnd(), before))
      return "not compared just now, news are coming in";
    // A bank that tells only by its statements is compared with them, not here.
    const isTold = (place: string) => outside.has(place) || !place.startsWith("bank:");
    return [...new Set([...outside.keys(), ...inside.keys()])]
      .filter(isTold)
      .map((place) => ({ place, said: outside.get(place) ?? 0n, booked: inside.get(place) ?? 0n }))
      .filter(({ said, booked }) => said !== booked)
      .map(({ place, said, booked }) => `${place}: they say ${said}, we say ${booked}`);
  } catch (error) {
    return `not compared just now, somebody does not answer (${messageOf(error)})`;
  }
}

/** What lies on a chain is compared as a whole: swept or not, it is ours. */
function sumUp(balances: readonly { account: string; balance: bigint }[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { account, balance } of balances) {
    const place = account.replace(/^(hot|unswept):/, "chain:");
    sums.set(place, (sums.get(place) ?? 0n) + balance);
  }
  return sums;
}

const everyMs = 3_600_000;

/** Checks the books every hour, and says what is wrong and what to do. */
export function invariantsWatch(context: RampContext): DueRunner {
  const { clock, log } = context;
  let nextAt = 0;
  return {
    name: "invariants",
    async run() {
      if (clock.now() < nextAt) return 0;
      nextAt = clock.now() + everyMs;
      const { checks } = await checkInvariants(context);
      for (const { id, detail } of checks.filter(({ ok }) => !ok)) {
        log.error(
          { rule: id, detail },
          "the books are not right; switch payouts off (kill switch `payouts`) until it is known why",
        );
      }
      return 0;
    },
  };
}
