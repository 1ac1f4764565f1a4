import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { TradePage, TradeQuery, Venue } from "../feeds/venue.ts";
import type { Trade } from "../market.ts";
import type { Gap } from "../store/gaps.ts";
import { compareKeys } from "../trade-key.ts";
import type { FollowedMarket } from "./followed-market.ts";
import { isSound } from "./sound-trade.ts";
import type { TradeWriter, WrittenMarket } from "./trade-writer.ts";

/** What it takes to fetch trades. */
export type FetchContext = {
  venue: Venue;
  writer: TradeWriter;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
};

/** Why trades cannot be had. */
type Missing = Pick<Gap, "reason" | "isOpen"> & { error?: unknown };

/** The stream and the REST API of an exchange may date the same trade differently, but not by so much. */
export const overlapMs = 5_000;
const attemptsMost = 3;
const retryMs = 1_000;
const roomCheckMs = 200;
/** Somebody waits for the newest trades: after so many older pages they come first. */
const pagesMost = 5;

/** REST answers begin after what we know. */
export const tooFarBack: Missing = {
  reason: "The exchange's REST API does not reach back far enough.",
  isOpen: false,
};
const notYet: Missing = { reason: "These trades are still being fetched.", isOpen: true };
/** REST answers end before what we know. */
export const notThere: Missing = {
  reason: "The exchange's REST API does not have these trades.",
  isOpen: false,
};

/**
 * Fetches what is missing between the last trade we know and those that wait, and lets these go on. What cannot be had
 * becomes a gap, for the reason that trades were lost if there is one. Fails when the exchange did not answer.
 */
export async function catchUp(
  context: FetchContext,
  followed: FollowedMarket,
  written: WrittenMarket,
): Promise<void> {
  let failure: unknown;
  // Each round closes one hole: there may be others between the trades that wait.
  while (followed.held) {
    const missing = await fetchMissing(context, followed, written);
    if (followed.isGone) return;
    failure = missing?.error;
    // Trades may have begun to wait since the last page.
    if (missing || hasMet(followed)) letGoOn(context, followed, written, missing);
  }
  if (failure !== undefined) throw failure;
}

/** Asks until the pages meet the trades that wait; says why they do not. */
async function fetchMissing(
  context: FetchContext,
  followed: FollowedMarket,
  written: WrittenMarket,
): Promise<Missing | undefined> {
  const { clock, signal } = context;
  let missing: Missing | undefined = hasMet(followed) ? undefined : notYet;
  for (let attempt = 0; attempt < attemptsMost && !signal.aborted; attempt++) {
    if (attempt > 0) await clock.sleep(attempt * retryMs, signal);
    try {
      missing = await readPages(context, followed, written);
      if (missing || followed.isGone || hasMet(followed)) return missing;
      missing = notThere;
    } catch (error) {
      missing = {
        reason: `The exchange did not answer: ${messageOf(error)}`,
        isOpen: true,
        error,
      };
    }
  }
  return missing;
}

/**
 * Reads from the last trade on; where that takes too long, the newest first, and the rest is left to be filled. Says
 * what cannot be read before the trades that wait.
 */
async function readPages(
  context: FetchContext,
  followed: FollowedMarket,
  written: WrittenMarket,
): Promise<Missing | undefined> {
  const { last } = followed;
  let query: TradeQuery = last ? { since: last.time - overlapMs } : {};
  for (let pages = 0; pages < pagesMost; pages++) {
    const page = await readPage(context, followed, query);
    const { lossReason = tooFarBack.reason } = followed;
    const unjoined = pages === 0 ? { ...tooFarBack, reason: lossReason } : undefined;
    const missing = takePage(context, followed, written, page, unjoined);
    if (missing || !last || page.next === undefined || hasMetWaiting(followed)) return missing;
    query = { next: page.next };
  }
  const newest = await readPage(context, followed, {});
  return takePage(context, followed, written, newest, notYet);
}

/** Asks for a page of trades when there is room for it; what makes no sense is left out. */
export async function readPage(
  { venue, writer, clock, signal }: FetchContext,
  { market }: FollowedMarket,
  query: TradeQuery,
): Promise<TradePage> {
  while (writer.isFull && !signal.aborted) await clock.sleep(roomCheckMs, signal);
  const { trades, next } = await venue.trades(market, query);
  const now = clock.now();
  return { trades: trades.filter((trade) => isSound(trade, now)).sort(compareKeys), next };
}

/**
 * Stores a page. Where it should begin with what we know but does not, there is a gap; if trades that wait are older
 * than the page, they come first and `unjoined` is returned.
 */
function takePage(
  { writer }: FetchContext,
  followed: FollowedMarket,
  written: WrittenMarket,
  { trades }: TradePage,
  unjoined: Missing | undefined,
): Missing | undefined {
  const [first] = trades;
  if (!first || followed.isGone) return undefined;
  const from = followed.last?.time ?? followed.tradesSince;
  // A page that begins in the very millisecond of the last trade may still lack others of it.
  const isJoined = from === null || first.time < from || isNextTo(followed, trades);
  const waiting = followed.firstHeld();
  if (unjoined && !isJoined && waiting && compareKeys(waiting, first) < 0) return unjoined;
  const gaps = unjoined && !isJoined ? [gapOf(unjoined, from, first.time)] : [];
  // The page may begin in the middle of a millisecond.
  const since = beginWith(followed, written, first.time + 1);
  const complete = trades.filter(({ time }) => time >= (followed.tradesSince ?? 0) - 1);
  writer.add(written, { trades: followed.remember(complete), gaps, since });
  noteGaps(followed, gaps);
  return undefined;
}

function isNextTo(followed: FollowedMarket, [first, ...others]: readonly Trade[]): boolean {
  if (!first) return false;
  return (
    followed.isProvenNext(first) || [first, ...others].some(({ id }) => followed.recent.has(id))
  );
}

function gapOf({ reason, isOpen }: Missing, from: number, to: number): Gap {
  return { from, to, reason, isOpen };
}

/** Whether the trades that wait follow what is known, with nothing between. */
function hasMet(followed: FollowedMarket): boolean {
  const first = followed.firstHeld();
  const { last, recent } = followed;
  if (!first) return true;
  if (!last) return followed.tradesSince === null;
  return recent.has(first.id) || compareKeys(first, last) <= 0 || followed.isProvenNext(first);
}

function hasMetWaiting(followed: FollowedMarket): boolean {
  return followed.firstHeld() !== undefined && hasMet(followed);
}

/** Lets the trades go on that wait; where something is missing before them, that is a gap. */
function letGoOn(
  { writer, log }: FetchContext,
  followed: FollowedMarket,
  written: WrittenMarket,
  missing: Missing | undefined,
): void {
  const first = followed.firstHeld();
  // With nothing that waits nobody can tell whether anything is missing: the next trade will.
  followed.isInDoubt = !first;
  if (!first) {
    followed.held = undefined;
    return;
  }
  const { last } = followed;
  const gaps = missing && last ? [gapOf(missing, last.time, first.time)] : [];
  if (gaps[0]) log.warn({ market: written.name, ...gaps[0] }, "trades are missing");
  const since = beginWith(followed, written, first.time);
  // The hole before the first is dealt with; those after it are not.
  const trades = [...followed.remember([first]), ...followed.takeContinuous()];
  writer.add(written, { trades, gaps, since });
  noteGaps(followed, gaps);
}

/** Since when trades are complete, when these are the first. */
function beginWith(
  followed: FollowedMarket,
  written: WrittenMarket,
  time: number,
): number | undefined {
  if (followed.tradesSince !== null) return undefined;
  followed.tradesSince = time;
  written.foldedSince ??= time;
  return time;
}

function noteGaps(followed: FollowedMarket, gaps: readonly Gap[]): void {
  followed.gaps += gaps.length;
  if (gaps.some(({ isOpen }) => isOpen)) followed.hasGapsToFill = true;
  if (gaps.some(({ isOpen }) => !isOpen)) followed.lacksCandles = true;
}
