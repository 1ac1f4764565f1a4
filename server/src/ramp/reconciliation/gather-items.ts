import type { Queryable } from "../../database/database.ts";
import {
  type BankBooking,
  type ComparedLine,
  findBookings,
  findLines,
  findPayouts,
  findWires,
  listBookingsAbout,
} from "../store/bank-comparison.ts";
import { type BankItem, itemsOf, placeOf } from "./bank-items.ts";

/** Where to begin: lines and bookings that have to be looked at, and names of items that were open before. */
export type Seeds = {
  lines: readonly ComparedLine[];
  bookings: readonly BankBooking[];
  names: readonly string[];
};

/** Finds everything that belongs to some lines, bookings and names of items, on both sides. */
export async function gatherItems(
  db: Queryable,
  { lines, bookings, names }: Seeds,
  { sources, upTo }: { sources: readonly string[]; upTo: Date },
): Promise<BankItem[]> {
  const named = (kind: string) =>
    names.flatMap((name) => (name.startsWith(`${kind}:`) ? [name.slice(kind.length + 1)] : []));
  const about = bookings.map((booking) => booking.about);
  const wires = await findWires(db, {
    sources,
    references: [...named("wire"), ...lines.map(({ reference }) => reference)],
    ids: about,
  });
  const payouts = await findPayouts(db, [
    ...[...named("payout"), ...named("return"), ...named("file"), ...about],
    ...lines.flatMap(({ endToEndId }) => endToEndId ?? []),
  ]);
  const wireIds = wires.map(({ id }) => id);
  const payoutIds = payouts.map(({ id }) => id);
  const known = new Set([...wireIds, ...payoutIds]);
  const others = bookings.filter((booking) => !known.has(booking.about));
  const carried = await findBookings(db, named("journal").map(BigInt));
  const namedLines = await findLines(db, {
    upTo,
    references: wires.map(({ reference }) => reference),
    names: payouts.flatMap(({ id, trace, file }) => [id, trace ?? id, file ?? id]),
    places: names.filter((name) => name.startsWith("line:")).map(placeOf),
  });
  return itemsOf({
    wires,
    payouts,
    lines: unique(
      [...lines, ...namedLines],
      ({ statementId, number }) => `${number} ${statementId}`,
    ),
    bookings: await listBookingsAbout(db, { wires: wireIds, payouts: payoutIds }),
    otherBookings: unique([...others, ...carried], ({ journalId }) => String(journalId)),
  });
}

/** Each once, in the order in which they stand. */
function unique<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [nameOf(item), item])).values()];
}
