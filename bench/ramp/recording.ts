import pg from "pg";
import type { Address } from "../../server/src/database/address.ts";
import type { Database, Transaction } from "../../server/src/database/database.ts";
import { clientConfig } from "../../server/src/database/pool.ts";
import type { Sql } from "../../server/src/database/sql.ts";

/** The statements of a transaction that was committed, with their values. */
export type Recorded = readonly Sql[];

/** A database that writes down what is done in its transactions, and does it. */
export function recording(db: Database): { db: Database; recorded: Recorded[] } {
  const recorded: Recorded[] = [];
  const transact: Database["transact"] = async (work) => {
    let statements: Sql[] = [];
    let atTheEnd: Sql[] = [];
    const result = await db.transact((tx) => {
      statements = [];
      atTheEnd = [];
      const query: Transaction["query"] = (statement) => {
        statements.push(statement);
        return tx.query(statement);
      };
      const last: Transaction["last"] = (statement) => {
        atTheEnd.push(statement);
        tx.last(statement);
      };
      return work({ ...tx, query, last });
    });
    recorded.push([...statements, ...atTheEnd]);
    return result;
  };
  return { db: { ...db, transact }, recorded };
}

/** Does what was recorded again, on a connection with nothing around it. Every statement is planned only once. */
export async function replay(client: pg.Client, transactions: readonly Recorded[]): Promise<void> {
  for (const statements of transactions) {
    await client.query("begin");
    for (const { text, values } of statements) {
      await client.query({ name: nameOf(text), text, values });
    }
    await client.query("commit");
  }
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? `statement ${names.size}`;
  names.set(text, name);
  return name;
}

/** Bare connections, one for each lane. */
export async function connectBare(address: Address, count: number): Promise<pg.Client[]> {
  const clients = Array.from({ length: count }, () => new pg.Client(clientConfig(address)));
  for (const client of clients) {
    // When something else fails the server is stopped, and that failure is the one to be seen.
    client.on("error", () => {});
    await client.connect();
  }
  return clients;
}
