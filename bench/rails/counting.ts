import type { Database } from "../../server/src/database/database.ts";

/** A database that counts the statements sent to it, without those that begin and end transactions. */
export function counting(db: Database): { db: Database; statements(): number } {
  let count = 0;
  const query: Database["query"] = (statement) => {
    count++;
    return db.query(statement);
  };
  const transact: Database["transact"] = (work) =>
    db.transact((tx) =>
      work({
        ...tx,
        query: (statement) => {
          count++;
          return tx.query(statement);
        },
        last: (statement) => {
          count++;
          tx.last(statement);
        },
      }),
    );
  return { db: { ...db, query, transact }, statements: () => count };
}
