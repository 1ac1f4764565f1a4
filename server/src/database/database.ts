import { hash } from "node:crypto";
import type pg from "pg";
import { backoffMs } from "../lib/backoff.ts";
import type { Clock } from "../lib/clock.ts";
import { assert, messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { Random } from "../lib/random.ts";
import type { Address } from "./address.ts";
import { type CopyRows, copyRows } from "./copy.ts";
import { asOurError, isRetryable, isUnavailable } from "./failures.ts";
import { openListener } from "./listener.ts";
import { openPool } from "./pool.ts";
import { type Sql, sql } from "./sql.ts";

/** Something SQL can be sent to: the database, or a transaction in it. */
export type Queryable = {
  query<Row extends object>(statement: Sql): Promise<Row[]>;
};

/** Work that happens as a whole or not at all. */
export type Transaction = Queryable & {
  /** Writes many rows at once, twice as fast as any INSERT. */
  copy(rows: CopyRows): Promise<number>;
  /** Runs a file of statements, as migrations are. */
  script(text: string): Promise<void>;
  /** Leaves a statement for the very end, right before the commit: for one that locks what many others wait for. */
  last(statement: Sql): void;
};

export type Database = Queryable & {
  /** Runs `work` in one transaction; runs it again when the server says that it collided with another. */
  transact<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Calls `heard` for every NOTIFY, and with `undefined` when some may have been missed. */
  listen(channel: string, heard: (payload: string | undefined) => void): Promise<void>;
  /** Fails when nobody answers; returns the server's major version. */
  ping(): Promise<number>;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  addresses: Address[];
  /** Connections at most. */
  poolSize: number;
  clock: Clock;
  random: Random;
  log: Log;
};

const attemptsMost = 8;

/** Opens a pool of connections. Nothing above this folder knows which server answers. */
export function openDatabase(options: DatabaseOptions): Database {
  const { clock, random, log } = options;
  const pool = openPool(options);
  const listener = openListener(options);

  let isDown = false;
  /** Says when the database goes and when it comes back, not each time that it is missed. */
  function noteAvailability(isUp: boolean, reason = ""): void {
    if (isUp !== isDown) return;
    isDown = !isUp;
    if (isUp) log.info("the database answers again");
    else log.warn({ reason }, "the database does not answer; requests that need it get 503");
  }

  /** Lends a connection to `use`, and throws it away when it broke on the way. */
  async function withClient<Result>(
    use: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<Result> {
    let client: pg.PoolClient | undefined;
    let isBroken = false;
    try {
      client = await pool.connect();
      const result = await use(client);
      noteAvailability(true);
      return result;
    } catch (error) {
      isBroken = isUnavailable(error);
      if (isBroken) noteAvailability(false, messageOf(error));
      throw error;
    } finally {
      client?.release(isBroken);
    }
  }

  async function query<Row extends object>(statement: Sql): Promise<Row[]> {
    return withClient((client) => run<Row>(client, statement)).catch(asOurError);
  }

  return {
    query,
    async transact(work) {
      for (let attempts = 1; ; attempts++) {
        try {
          return await withClient((client) => transactOn(client, work));
        } catch (error) {
          if (!isRetryable(error) || attempts >= attemptsMost) asOurError(error);
          await clock.sleep(backoffMs(attempts, { firstMs: 4, mostMs: 200 }, random));
        }
      }
    },
    listen: listener.listen,
    async ping() {
      const [row] = await query<{ version: number }>(
        sql`select current_setting('server_version_num')::int / 10000 as version`,
      );
      return row?.version ?? 0;
    },
    async close() {
      await listener.close();
      await pool.close();
    },
  };
}

async function transactOn<Result>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const last: Sql[] = [];
  await client.query("begin");
  try {
    const result = await work({
      query: (statement) => run(client, statement),
      copy: (rows) => copyRows(client, rows),
      script: async (text) => {
        await client.query(text);
      },
      last: (statement) => void last.push(statement),
    });
    const { command } = await commit(client, last);
    // After a failed statement COMMIT answers ROLLBACK: work that hid the failure must not look done.
    assert(command === "COMMIT", "a transaction went on after one of its statements failed");
    return result;
  } catch (error) {
    await client.query("rollback").catch((rollbackError) => {
      throw new AggregateError([error, rollbackError], "Connection terminated while rolling back");
    });
    throw error;
  }
}

/** The commit follows the last statement at once, without us in between: what that locks is free as soon as can be. */
async function commit(client: pg.PoolClient, last: readonly Sql[]): Promise<pg.QueryResult> {
  for (const statement of last.slice(0, -1)) await run(client, statement);
  const final = last.at(-1);
  if (!final) return client.query("commit");
  const [ran, committed] = await Promise.allSettled([run(client, final), client.query("commit")]);
  if (ran.status === "rejected") throw ran.reason;
  if (committed.status === "rejected") throw committed.reason;
  return committed.value;
}

async function run<Row extends object>(
  client: pg.PoolClient,
  { text, values, isPrepared }: Sql,
): Promise<Row[]> {
  const name = isPrepared ? hash("sha256", text, "base64url") : undefined;
  const { rows } = await client.query<Row>({ name, text, values });
  return rows;
}
