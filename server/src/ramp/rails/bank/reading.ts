import type { Transaction } from "../../../database/database.ts";
import type { Cents } from "../../../lib/money.ts";
import type { Notice } from "../../ports.ts";
import type { FileFormat } from "../store/bank-files.ts";

/** What follows from something that the bank said: what the ramp is told, and what a person has to look at. */
export type Told = { notices: readonly Notice[]; problems: readonly string[] };

/** A file that was read and found to be sound. Until `take` nothing has been written. */
export type Reading = {
  format: FileFormat;
  entries: number;
  cents: Cents;
  /** Writes down what the file says, after the file itself has been kept as `fileId`. */
  take(tx: Transaction, fileId: string): Promise<Told>;
};

export const nothingTold: Told = { notices: [], problems: [] };

/** Something that a person has to look at, of which the ramp is told nothing. */
export const problem = (sentence: string): Told => ({ notices: [], problems: [sentence] });

/** Does one thing after the other, and puts together what follows from them. */
export async function tellInOrder<Item>(
  items: readonly Item[],
  tell: (item: Item) => Promise<Told>,
): Promise<Told> {
  const told: Told[] = [];
  for (const item of items) told.push(await tell(item));
  return joined(told);
}

/** What follows from several things, in their order. */
export function joined(told: readonly Told[]): Told {
  return {
    notices: told.flatMap(({ notices }) => notices),
    problems: told.flatMap(({ problems }) => problems),
  };
}
