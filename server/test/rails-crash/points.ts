import type { Database, Queryable } from "../../src/database/database.ts";
import { type Sql, sql } from "../../src/database/sql.ts";
import type { EvmNodes } from "../../src/ramp/rails/evm/evm-nodes.ts";
import type { ChainKeys, Signer } from "../../src/ramp/rails/evm/signer.ts";
import type { FileExchange } from "../../src/ramp/rails/file-exchange.ts";
import type { Points } from "../ramp-crash/points.ts";

/** What only takes a row for a while, or looks at it later: whatever is done about it comes past points of its own. */
const isLease = (text: string) => /^\s*update \w+( \w)? set (leased_until|due_at) = /.test(text);

/** The tables that a statement writes to; locks and conflicts are no writing. */
const tablesIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:insert into|delete from|(?<!for |do )update)\s+(\w+)/gi)].flatMap(
    ([, table]) => table ?? [],
  );

/** Whether the world is another one since the point before. Who dies elsewhere only loses what is in memory. */
export const isTurningPoint = (name: string) =>
  name.startsWith("after") && !/(signing|reading a file|looking for files)$/.test(name);

/** Whether a point is about what we do and see on the chain. */
export const isOnChain = (name: string) => /chain_|sending$/.test(name);

/** The same database, with a point before and after everything that it commits, unless nothing was changed. */
export function databaseWithPoints(db: Database, points: Points): Database {
  return {
    ...db,
    async query<Row extends object>(statement: Sql) {
      const { text } = statement;
      const rows = await db.query<Row>(statement);
      const tables = isLease(text) ? [] : tablesIn(text);
      const hasWritten = rows.length > 0 || !/\breturning\b/i.test(text);
      if (tables.length > 0 && hasWritten) await points.pass(`after writing ${titleOf(tables)}`);
      return rows;
    },
    async transact(work) {
      let tables: string[] = [];
      const result = await db.transact(async (tx) => {
        tables = [];
        const query: Queryable["query"] = (statement) => {
          tables.push(...tablesIn(statement.text));
          return tx.query(statement);
        };
        const done = await work({ ...tx, query });
        if (tables.length > 0 && !(await hasChanged(tx))) tables = [];
        if (tables.length > 0) await points.pass(`before commit of ${titleOf(tables)}`);
        return done;
      });
      if (tables.length > 0) await points.pass(`after commit of ${titleOf(tables)}`);
      return result;
    },
  };
}

const titleOf = (tables: readonly string[]) => [...new Set(tables)].join(", ");

/** The server numbers a transaction when it changes or locks its first row. */
async function hasChanged(tx: Queryable): Promise<boolean> {
  const [row] = await tx.query<{ hasNumber: boolean }>(
    sql`select pg_current_xact_id_if_assigned() is not null as "hasNumber"`,
  );
  return row?.hasNumber === true;
}

/** The same nodes, with a point before and after what is sent. Questions change nothing. */
export function nodesWithPoints(nodes: EvmNodes, points: Points): EvmNodes {
  return { ...nodes, send: around("sending", points, nodes.send) };
}

/** The same keys, with a point before and after each signature. */
export function keysWithPoints(keys: ChainKeys, points: Points): ChainKeys {
  const mortal = (signer: Signer): Signer => ({
    ...signer,
    sign: around("signing", points, signer.sign),
  });
  return {
    hot: mortal(keys.hot),
    deposit: (index) => {
      const signer = keys.deposit(index);
      return signer && mortal(signer);
    },
  };
}

/** The same place for files, with points around each call. Finding nothing is the same as not having come so far. */
export function exchangeWithPoints(exchange: FileExchange, points: Points): FileExchange {
  return {
    put: around("leaving a file", points, exchange.put),
    get: around("reading a file", points, exchange.get),
    setAside: around("setting a file aside", points, exchange.setAside),
    async list() {
      const names = await exchange.list();
      if (names.length > 0) await points.pass("after looking for files");
      return names;
    },
  };
}

function around<Args extends unknown[], Result>(
  name: string,
  points: Points,
  call: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    await points.pass(`before ${name}`);
    const result = await call(...args);
    await points.pass(`after ${name}`);
    return result;
  };
}
