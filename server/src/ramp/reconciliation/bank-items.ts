import type {
  BankBooking,
  ComparedLine,
  KnownPayout,
  KnownWire,
} from "../store/bank-comparison.ts";

/** One thing that happened at the bank, by what its statements and our books say of it. */
export type BankItem = {
  /** `wire:IMAD1`, `payout:pay-1`, `return:pay-1`, `file:ACH-1`, or what nobody knows: `line:S1/3`, `journal:17`. */
  name: string;
  lines: ComparedLine[];
  bookings: BankBooking[];
  /** What is not booked yet and may be on a statement before it is: any of these sums. */
  expected: readonly bigint[];
};

/** Everything that is known about lines and bookings that belong together. */
export type Known = {
  lines: readonly ComparedLine[];
  wires: readonly KnownWire[];
  payouts: readonly KnownPayout[];
  /** About these wires and payouts. */
  bookings: readonly BankBooking[];
  /** About nothing that a bank could know of. */
  otherBookings: readonly BankBooking[];
};

/** Puts together which lines and bookings are about the same thing. */
export function itemsOf(known: Known): BankItem[] {
  const items = new Map<string, BankItem>();
  const itemNamed = (name: string): BankItem => {
    const item = items.get(name) ?? { name, lines: [], bookings: [], expected: [] };
    items.set(name, item);
    return item;
  };
  const names = namesOf(known);
  for (const line of known.lines) itemNamed(names.ofLine(line)).lines.push(line);
  for (const booking of known.bookings) itemNamed(names.ofBooking(booking)).bookings.push(booking);
  for (const booking of known.otherBookings) itemNamed(journalName(booking)).bookings.push(booking);
  for (const [file, payouts] of groupBy(known.payouts, leavesAs))
    withdrawUnmoved(items, file, payouts);
  for (const item of items.values()) item.expected = names.expectedOf(item.name);
  return [...items.values()];
}

/**
 * Takes returns of which a bank has no line together with their file, when it paid that much less of it: those payments
 * came back before they were paid, and we only heard of it later. On its statements they never were.
 */
function withdrawUnmoved(
  items: Map<string, BankItem>,
  file: string,
  payouts: readonly KnownPayout[],
): void {
  const left = items.get(file);
  if (!left || !file.startsWith("file:")) return;
  const returns = payouts
    .flatMap(({ id }) => items.get(`return:${id}`) ?? [])
    .filter(({ lines }) => lines.length === 0);
  const bookings = returns.flatMap((item) => item.bookings);
  if (bookings.length === 0) return;
  if (sumOf(left.lines) !== sumOf(left.bookings) + sumOf(bookings)) return;
  left.bookings.push(...bookings);
  for (const { name } of returns) items.delete(name);
}

/** The name of a line that belongs to nothing we know. */
function lineName({ statementId, number }: ComparedLine): string {
  return `line:${statementId}/${number}`;
}

/** Where the line is that has this name. */
export function placeOf(name: string): { statementId: string; number: number } {
  const place = name.slice("line:".length);
  const slash = place.lastIndexOf("/");
  return { statementId: place.slice(0, slash), number: Number(place.slice(slash + 1)) };
}

/** The name of a booking that belongs to nothing a bank could know. */
function journalName({ journalId }: Pick<BankBooking, "journalId">): string {
  return `journal:${journalId}`;
}

/** What payouts out of one place have in common: those of ACH leave as the sum of their file. */
function leavesAs({ id, rail, file }: KnownPayout): string {
  return rail === "ach" && file !== null ? `file:${file}` : `payout:${id}`;
}

function namesOf({ wires, payouts, bookings }: Known) {
  const references = new Map(wires.map(({ id, reference }) => [id, reference]));
  const knownReferences = new Set(references.values());
  const byId = new Map(payouts.map((payout) => [payout.id, payout]));
  const byName = new Map([...payouts.map(traceOf), ...byId]);
  const leaving = groupBy(payouts, leavesAs);
  const paid = new Set(bookings.filter(({ cents }) => cents < 0n).map(({ about }) => about));
  // Sent back before it was booked as paid: on a statement it is paid and sent back, or not there at all.
  const isUnpaid = ({ id, state }: KnownPayout) => state === "returned" && !paid.has(id);

  function ofLine(line: ComparedLine): string {
    const { cents, reference, endToEndId } = line;
    // Whoever sends a wire chooses its end-to-end id, so that the bank's own reference goes first.
    if (cents > 0n && knownReferences.has(reference)) return `wire:${reference}`;
    const payout = byName.get(endToEndId ?? "");
    if (payout) return ofPayment(payout, cents);
    const file = `file:${endToEndId}`;
    return leaving.has(file) ? file : lineName(line);
  }

  function ofPayment(payout: KnownPayout, cents: bigint): string {
    return cents < 0n || isUnpaid(payout) ? leavesAs(payout) : `return:${payout.id}`;
  }

  function ofBooking({ about, cents }: BankBooking): string {
    const payout = byId.get(about);
    if (!payout) return `wire:${references.get(about)}`;
    return cents < 0n ? leavesAs(payout) : `return:${about}`;
  }

  function expectedOf(name: string): bigint[] {
    const returned = name.startsWith("return:")
      ? byId.get(name.slice("return:".length))
      : undefined;
    if (returned) return returned.state === "returned" ? [] : [returned.cents];
    const together = leaving.get(name) ?? [];
    const filed = sumOf(together.filter(({ state }) => state === "filed"));
    const unpaid = sumOf(together.filter(isUnpaid));
    return [-filed, -filed - unpaid].filter((sum) => sum !== 0n);
  }

  return { ofLine, ofBooking, expectedOf };
}

function groupBy<Item>(items: readonly Item[], nameOf: (item: Item) => string) {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(nameOf(item));
    if (group) group.push(item);
    else groups.set(nameOf(item), [item]);
  }
  return groups;
}

function traceOf(payout: KnownPayout): [name: string, payout: KnownPayout] {
  return [payout.trace ?? payout.id, payout];
}

/** The cents of lines, bookings or payouts together. */
export function sumOf(all: readonly { cents: bigint }[]): bigint {
  return all.reduce((sum, { cents }) => sum + cents, 0n);
}
