import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../database/database.ts";
import type { NewsSource } from "../ports.ts";
import { findCursor } from "../store/news.ts";

/** Why two books cannot be compared just now. */
export class NotComparable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NotComparable";
  }
}

type News = { db: Database; news: readonly NewsSource[] };

const attemptsMost = 3;

/**
 * Compares our books with somebody else's while nothing is told that only one side knows of. What came in meanwhile
 * makes the comparison worthless, and it is done again.
 */
export async function whileQuiet<Result>(
  context: News,
  subject: string,
  compare: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 0; attempt < attemptsMost; attempt++) {
    const before = await readCursors(context, subject);
    const result = await compare();
    if (isDeepStrictEqual(before, await readCursors(context, subject))) return result;
  }
  throw new NotComparable("news are coming in all the time");
}

/** Up to where the news that concern a subject have been taken, when that is all of them. */
async function readCursors({ db, news }: News, subject: string): Promise<(string | null)[]> {
  const cursors: (string | null)[] = [];
  for (const source of news) {
    if (!concerns(source.name, subject)) continue;
    const cursor = await findCursor(db, source.name);
    const { notices } = await source.read(cursor);
    if (notices.length > 0) throw new NotComparable("there are news that have not been read");
    cursors.push(cursor);
  }
  return cursors;
}

/** A source that is named after a subject tells nothing of the others. */
function concerns(source: string, subject: string): boolean {
  const isOfOne = source === "bank" || source.startsWith("chain:");
  return source === subject || !isOfOne;
}
