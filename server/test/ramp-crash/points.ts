import type { Database, Queryable } from "../../src/database/database.ts";
import type { Sql } from "../../src/database/sql.ts";
import type { PayoutRail, Ports } from "../../src/ramp/ports.ts";

/** The places at which a process could die, in the order in which it comes past them. */
export type Points = {
  /** What was passed so far. */
  passed: string[];
  pass(name: string): Promise<void>;
};

/** Counts points from 1, and dies at one of them: `die` never comes back. */
export function countPoints(diesAt: number | undefined, die: () => Promise<never>): Points {
  const passed: string[] = [];
  return {
    passed,
    async pass(name) {
      if (passed.push(name) === diesAt) await die();
    },
  };
}

const isWrite = (text: string) =>
  /\b(insert\s+into|delete\s+from|update\s+\w+(\s+as\s+\w+)?\s+set)\b/i.test(text);

/** What a statement is about, for whoever reads where it died. */
const titleOf = (text: string) => text.trim().replaceAll(/\s+/g, " ").slice(0, 60);

/**
 * The same database, with a point before and after everything that it commits. Before a statement of its own there is
 * none: that is after whatever came before it. What changed nothing is not counted.
 */
export function withPoints(db: Database, points: Points): Database {
  return {
    ...db,
    async query<Row extends object>(statement: Sql) {
      const { text } = statement;
      const rows = await db.query<Row>(statement);
      const hasWritten = isWrite(text) && (rows.length > 0 || !/\breturning\b/i.test(text));
      if (hasWritten) await points.pass(`after ${titleOf(text)}`);
      return rows;
    },
    async transact(work) {
      let written: string | undefined;
      const result = await db.transact(async (tx) => {
        const query: Queryable["query"] = (statement) => {
          if (isWrite(statement.text)) written ??= titleOf(statement.text);
          return tx.query(statement);
        };
        const done = await work({ ...tx, query });
        if (written) await points.pass(`before commit of ${written}`);
        return done;
      });
      if (written) await points.pass(`after commit of ${written}`);
      return result;
    },
  };
}

/** The same outside, with a point before and after every call; where nothing comes of it, after is enough. */
export function portsWithPoints(ports: Ports, points: Points): Ports {
  const thenPoint =
    <Args extends unknown[], Result>(name: string, call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const result = await call(...args);
      await points.pass(`after ${name}`);
      return result;
    };
  const railOf = (rail: PayoutRail): PayoutRail => ({
    async submit(instruction) {
      await points.pass("before submit");
      return thenPoint("submit", rail.submit)(instruction);
    },
    find: thenPoint("find", rail.find),
  });
  const { rails, news, screening } = ports;
  return {
    ...ports,
    rails: { ach: railOf(rails.ach), wire: railOf(rails.wire), chain: railOf(rails.chain) },
    screening: {
      person: thenPoint("screening of a person", screening.person),
      wallet: thenPoint("screening of a wallet", screening.wallet),
    },
    news: news.map((source) => ({
      ...source,
      async read(after) {
        const page = await source.read(after);
        // Reading nothing is the same as not having come so far.
        if (page.notices.length > 0) await points.pass(`after news of ${source.name}`);
        return page;
      },
    })),
  };
}
