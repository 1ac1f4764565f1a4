import type { Queryable } from "../../database/database.ts";
import type { TradePage } from "../feeds/venue.ts";
import { type Gap, insertGaps, listOpenGaps, shrinkGap } from "../store/gaps.ts";
import { findIds } from "../store/write-trades.ts";
import { type FetchContext, notThere, overlapMs, readPage, tooFarBack } from "./catch-up.ts";
import type { FollowedMarket } from "./followed-market.ts";
import type { WrittenMarket } from "./trade-writer.ts";

type FillContext = FetchContext & { db: Queryable };

/** Fetches the trades of a market's gaps, as far as the exchange has them. Each page makes the gap smaller. */
export async function fillGaps(
  context: FillContext,
  followed: FollowedMarket,
  written: WrittenMarket,
): Promise<void> {
  for (const gap of await listOpenGaps(context.db, written.id)) {
    await fillGap(context, followed, written, gap);
  }
}

async function fillGap(
  context: FillContext,
  followed: FollowedMarket,
  written: WrittenMarket,
  whole: Gap,
): Promise<void> {
  const { db, writer, clock, signal } = context;
  // Those at both ends, which REST may date into the gap.
  const before = await findIds(db, written.id, whole.from - 2 * overlapMs, whole.from);
  const after = await findIds(db, written.id, whole.to, whole.to + 2 * overlapMs);
  let gap: Gap | undefined = whole;
  let page = await readPage(context, followed, { since: whole.from - overlapMs });
  let isJoined = page.trades.some(({ id, time }) => time <= whole.from || before.has(id));
  while (gap && !signal.aborted && !followed.isGone) {
    const filled: Gap = gap;
    const { left, lost } = afterPage(filled, page, isJoined);
    const trades = page.trades.filter(
      ({ id, time }) => time <= filled.to && !before.has(id) && !after.has(id),
    );
    writer.add(written, {
      trades,
      isNews: false,
      async also(tx) {
        await shrinkGap(tx, written.id, filled, left?.from);
        await insertGaps(tx, written.id, lost, new Date(clock.now()));
      },
    });
    if (lost.length > 0) followed.lacksCandles = true;
    gap = left;
    isJoined = true;
    if (left) page = await readPage(context, followed, { next: page.next ?? "" });
  }
}

/** What a page leaves of a gap, and what it shows to be lost for good. */
function afterPage(
  gap: Gap,
  { trades, next }: TradePage,
  isJoined: boolean,
): { left: Gap | undefined; lost: Gap[] } {
  const begin = isJoined ? gap.from : Math.min(trades[0]?.time ?? gap.to, gap.to);
  const end = Math.max(begin, trades.at(-1)?.time ?? begin);
  const lost = begin > gap.from ? [{ ...gap, to: begin, ...tooFarBack }] : [];
  if (end > gap.to || (end === gap.to && next === undefined)) return { left: undefined, lost };
  if (next !== undefined) return { left: { ...gap, from: end }, lost };
  return { left: undefined, lost: [...lost, { ...gap, from: end, ...notThere }] };
}
