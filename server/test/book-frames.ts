import { crc32 } from "node:zlib";
import type { BookStory, Sides } from "./book-story.ts";

/** A story as an exchange tells it: the frame with the whole book, if it is in the stream, and one for each change. */
export type Told = { whole: string; changes: string[] };

const pairsOf = (levels: readonly number[]) =>
  levels.flatMap((price, at) => (at % 2 === 0 ? [[price, levels[at + 1] ?? 0] as const] : []));

const texts = (levels: readonly number[]) =>
  pairsOf(levels).map(([price, size]) => [price.toFixed(2), size.toFixed(8)]);

/** Kraken's checksum, as its documentation describes it. */
export function krakenChecksum({ bids, asks }: Sides): number {
  const digits = (value: number, decimals: number) =>
    value.toFixed(decimals).replace(".", "").replace(/^0+/, "");
  const text = (levels: number[]) =>
    pairsOf(levels)
      .slice(0, 10)
      .map(([price, size]) => digits(price, 1) + digits(size, 8))
      .join("");
  return crc32(text(asks) + text(bids));
}

export function krakenFrame(
  type: "snapshot" | "update",
  symbol: string,
  { bids, asks }: Sides,
  checksum: number,
): string {
  const levels = (side: number[]) => pairsOf(side).map(([price, qty]) => ({ price, qty }));
  const timestamp = "2026-01-01T00:00:00.000000Z";
  const data = [{ symbol, bids: levels(bids), asks: levels(asks), checksum, timestamp }];
  return JSON.stringify({ channel: "book", type, data });
}

export function tellKraken({ market, start, changes, books }: BookStory): Told {
  const { symbol } = market;
  return {
    whole: krakenFrame("snapshot", symbol, start, krakenChecksum(start)),
    changes: changes.map((change, at) =>
      krakenFrame("update", symbol, change, krakenChecksum(books[at] ?? start)),
    ),
  };
}

export function tellCoinbase({ market, start, changes }: BookStory): Told {
  const updates = ({ bids, asks }: Sides) =>
    [
      ...texts(bids).map((each) => ["bid", ...each]),
      ...texts(asks).map((each) => ["offer", ...each]),
    ].map(([side, price_level, new_quantity]) => ({ side, price_level, new_quantity }));
  const frame = (type: string, sides: Sides, sequence_num: number) =>
    JSON.stringify({
      channel: "l2_data",
      sequence_num,
      events: [{ type, product_id: market.nativeId, updates: updates(sides) }],
    });
  return {
    whole: frame("snapshot", start, 1),
    changes: changes.map((change, at) => frame("update", change, at + 2)),
  };
}

export function tellCoinbaseExchange({ market, start, changes }: BookStory): Told {
  const product_id = market.nativeId;
  const [bids, asks] = [texts(start.bids), texts(start.asks)];
  return {
    whole: JSON.stringify({ type: "snapshot", product_id, bids, asks }),
    changes: changes.map((change) =>
      JSON.stringify({
        type: "l2update",
        product_id,
        changes: [
          ...texts(change.bids).map((each) => ["buy", ...each]),
          ...texts(change.asks).map((each) => ["sell", ...each]),
        ],
      }),
    ),
  };
}

/** Three numbers to each change, from 1 on. */
export function tellBinance({ market, changes }: BookStory): Told {
  return {
    whole: "",
    changes: changes.map(({ bids, asks }, at) =>
      JSON.stringify({
        e: "depthUpdate",
        E: 1_767_225_600_000 + 100 * at,
        s: market.nativeId,
        U: 3 * at + 1,
        u: 3 * at + 3,
        b: texts(bids),
        a: texts(asks),
      }),
    ),
  };
}

/** A tenth of a second apart. */
export function tellBitstamp({ market, changes }: BookStory): Told {
  return {
    whole: "",
    changes: changes.map(({ bids, asks }, at) =>
      JSON.stringify({
        event: "data",
        channel: `diff_order_book_${market.nativeId}`,
        data: {
          microtimestamp: String(bitstampTime(at)),
          bids: texts(bids),
          asks: texts(asks),
        },
      }),
    ),
  };
}

/** When a change happened, in microseconds. */
export function bitstampTime(at: number): number {
  return 1_767_225_600_000_000 + 100_000 * at;
}
