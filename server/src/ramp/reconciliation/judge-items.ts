import { asCents, formatCents } from "../../lib/money.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { usd } from "../ledger/accounts.ts";
import type { BankBooking, ComparedLine } from "../store/bank-comparison.ts";
import type { Difference } from "../store/reconciliations.ts";
import { type BankItem, sumOf } from "./bank-items.ts";

/** When a comparison is made, and when the statement ends that it is made with. */
export type Moment = { statementEnd: number; now: number };

/** Whether both sides say the same, or will soon, or do not. */
type Verdict = "equal" | "in transit" | "wrong";

/** What both sides say of one thing. */
export type Judged = { item: BankItem; verdict: Verdict; theirs: bigint; ours: bigint };

const dayMs = 24 * 3_600_000;

/** For how long a booking waits for a statement, when none comes. */
const silenceMostMs = 7 * dayMs;

/**
 * Says whether a bank and our books agree about one thing. Each may have it up to a day before the other: what we
 * booked in the last day of a statement may be on the next one, and what we know of and is on one may be booked later.
 */
export function judge(item: BankItem, moment: Moment): Judged {
  const [theirs, ours] = [sumOf(item.lines), sumOf(item.bookings)];
  const sums = { theirs, ours };
  if (theirs === ours) return { item, verdict: "equal", ...sums };
  const isWaiting = isAwaited(item, theirs, moment) || isAnnounced(item, sums, moment);
  return { item, verdict: isWaiting ? "in transit" : "wrong", ...sums };
}

/** Whether a statement lacks nothing but what was booked lately. */
function isAwaited(
  { name, bookings }: BankItem,
  theirs: bigint,
  { statementEnd, now }: Moment,
): boolean {
  // No statement will ever have what is booked about nothing that a bank knows of.
  if (name.startsWith("journal:") && !bookings.every(isAdjustment)) return false;
  const isRecent = ({ at }: BankBooking) => at.getTime() > statementEnd - dayMs;
  const isHopeful = ({ at }: BankBooking) => at.getTime() > now - silenceMostMs;
  const longAgo = bookings.filter((booking) => !isRecent(booking));
  return sumOf(longAgo) === theirs && bookings.filter(isRecent).every(isHopeful);
}

/** Whether a statement has, before our books do, what we know will be booked. */
function isAnnounced(
  { lines, expected }: BankItem,
  { theirs, ours }: Pick<Judged, "theirs" | "ours">,
  { now }: Moment,
): boolean {
  const isFresh = lines.some(({ statementEnd }) => statementEnd.getTime() > now - dayMs);
  return isFresh && expected.some((cents) => theirs === ours + cents);
}

/** Whether an operator booked it. */
function isAdjustment({ kind }: BankBooking): boolean {
  return kind === "adjustment";
}

/**
 * Finds what operators have accounted for: an adjustment by as much as a bank says more or less of something than our
 * books did without it. Each accounts for one thing.
 */
export function accountFor(open: readonly Judged[]): { explained: Judged[]; left: Judged[] } {
  const explained = new Set<Judged>();
  const isFree = (judged: Judged) => !explained.has(judged);
  for (const adjustment of open.filter(isAdjusting)) {
    if (!isFree(adjustment)) continue;
    const fits = (other: Judged) =>
      other !== adjustment && isFree(other) && missing(other) === adjustment.ours;
    const matched =
      open.find((other) => other.verdict === "wrong" && !isAdjusting(other) && fits(other)) ??
      open.find((other) => isAdjusting(other) && fits(other));
    if (matched) for (const each of [adjustment, matched]) explained.add(each);
  }
  return { explained: [...explained], left: open.filter(isFree) };
}

function isAdjusting({ item: { name, bookings } }: Judged): boolean {
  return name.startsWith("journal:") && bookings.every(isAdjustment);
}

/** What our books lack to say what the bank does. */
export function missing({ theirs, ours }: Pick<Judged, "theirs" | "ours">): bigint {
  return theirs - ours;
}

/** Says in words of which lines and bookings a difference is. */
export function describe({ item, verdict, theirs, ours }: Judged): Difference {
  const explanation =
    verdict === "wrong"
      ? fault(item, theirs, ours)
      : `${placesOf(item)}: will be on both sides soon`;
  return { item: item.name, asset: usd, theirs, ours, explanation };
}

function fault(item: BankItem, theirs: bigint, ours: bigint): string {
  const { name, lines, bookings } = item;
  const places = placesOf(item);
  if (name.startsWith("line:"))
    return `${places}: belongs to nothing that we know; ask the bank what it is, and book it as an adjustment if it is a charge or money of the owners`;
  if (name.startsWith("journal:"))
    return `${places}: is on no statement of the bank; find out who booked it, and why`;
  if (lines.length === 0)
    return `${places}: is on no statement of the bank; ask the bank whether it happened`;
  if (bookings.length === 0)
    return `${places}: is not booked here; compare it with the payments in question`;
  if (theirs === ours * BigInt(lines.length))
    return `${places}: the bank has it ${lines.length} times; ask it to take back what is too much`;
  return `${places}: the bank says ${dollars(theirs)} dollars, and our books ${dollars(ours)}; ask the bank`;
}

/** More places than these would not be read. */
const placesMost = 5;

function placesOf({ name, lines, bookings }: BankItem): string {
  const places = [...lines.map(lineText), ...bookings.map(bookingText)];
  const others = places.length - placesMost;
  const listed = [...places.slice(0, placesMost), ...(others > 0 ? [`${others} more`] : [])];
  return `${name} (${listed.join("; ")})`;
}

function lineText({ statementId, number, reference, cents }: ComparedLine): string {
  return `line ${number} of statement ${statementId}, ${reference}, ${dollars(cents)}`;
}

function bookingText({ journalId, kind, at, cents }: BankBooking): string {
  return `journal ${journalId}, ${kind} at ${timestamp(at)}, ${dollars(cents)}`;
}

/** Cents as dollars, below zero as well. */
export const dollars = (cents: bigint): string => formatCents(asCents(cents));
