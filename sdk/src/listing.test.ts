import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Slipway } from "./slipway.ts";

/** A service that answers each request with what a function makes of its query. */
function serving(
  answer: (query: URLSearchParams) => { body: unknown; after?: string; before?: string },
) {
  const asked: string[] = [];
  const client = new Slipway({
    baseUrl: "http://service",
    fetch: async (url) => {
      const { search, searchParams } = new URL(url);
      asked.push(search);
      const { body, after, before } = answer(searchParams);
      return Response.json(body, {
        headers: { ...(after && { "cb-after": after }), ...(before && { "cb-before": before }) },
      });
    },
  });
  return { client, asked };
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const names = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `${index}` }));

/** Cuts a list as the cursor says. */
function cut<Item>(list: Item[], query: URLSearchParams) {
  const start = Number(query.get("after") ?? 0);
  const end = start + Number(query.get("limit") ?? 100);
  return { page: list.slice(start, end), ...(end < list.length ? { after: String(end) } : {}) };
}

describe("a list", () => {
  test("awaited is the page that was asked for, and is asked for once", async () => {
    const { client, asked } = serving((query) => ({ body: cut(names(9), query).page }));
    const list = client.operator.audit.list({ limit: 3 });
    expect(asked).toEqual([]);
    expect(await list).toEqual(names(3));
    expect(await list.finally()).toEqual(names(3));
    expect(asked).toEqual(["?limit=3"]);
  });

  test("that cannot be read says so, however it is asked", async () => {
    const client = new Slipway({
      baseUrl: "http://x",
      fetch: async () => new Response(null, { status: 404 }),
    });
    const list = () => client.operator.audit.list();
    expect(await list().catch(({ status }) => status)).toBe(404);
    await expect(list()).rejects.toMatchObject({ status: 404 });
    await expect(all(list())).rejects.toMatchObject({ status: 404 });
  });

  test("is walked through item by item and page by page, however it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(40), fc.integer({ min: 1, max: 45 }), async (count, limit) => {
        const { client, asked } = serving((query) => {
          const { page, ...cursor } = cut(names(count), query);
          return { body: page, ...cursor };
        });
        const list = client.operator.audit.list({ limit });
        expect(await all(list)).toEqual(names(count));
        const pages = await all(list.pages());
        expect(pages.flat()).toEqual(names(count));
        expect(asked).toHaveLength(2 * Math.max(1, Math.ceil(count / limit)));
      }),
    );
  });

  test("is read no further than somebody looks", async () => {
    const { client, asked } = serving((query) => ({ body: cut(names(9), query).page, after: "1" }));
    for await (const { id } of client.operator.payouts({ limit: 2 })) if (id === "1") break;
    expect(asked).toHaveLength(1);
  });
});

test("trades are followed by the cursor, with everything else as it was asked", async () => {
  const { client, asked } = serving((query) => ({
    body: { trades: [{ id: query.get("after") }] },
    ...(query.get("after") === "b&c"
      ? {}
      : { after: query.get("after") === "start" ? "a" : "b&c" }),
  }));
  const trades = client.cex.trades("kraken", "BTC-USD", { limit: 9, after: "start", since: 5 });
  expect(await all(trades)).toEqual([{ id: "start" }, { id: "a" }, { id: "b&c" }]);
  expect(asked).toEqual([
    "?limit=9&after=start&since=5",
    "?limit=9&after=a&since=5",
    "?limit=9&after=b%26c&since=5",
  ]);
});

test("candles that rise are followed to the newest", async () => {
  const { client, asked } = serving((query) => {
    const start = Number(query.get("before") ?? 0);
    const aggregates = [1, 2, 3, 4, 5].filter((time) => time > start).slice(0, 2);
    return { body: { aggregates }, before: String(aggregates.at(-1) ?? start), after: "1" };
  });
  const options = { timeframe: "1h", orderDirection: "asc", from: 7, limit: 2 } as const;
  expect(await all(client.cex.candles("kraken", "BTC-USD", options))).toEqual([1, 2, 3, 4, 5]);
  expect(asked.at(-1)).toBe("?timeframe=1h&orderDirection=asc&from=7&limit=2&before=5");
});

test("events are followed by their numbers", async () => {
  const { client, asked } = serving((query) => {
    const after = Number(query.get("after") ?? 0);
    const events = [1, 2, 3].filter((sequence) => sequence > after).slice(0, 2);
    return { body: { events, lastSequence: events.at(-1) ?? after } };
  });
  expect(await all(client.ramp.events({ limit: 2, type: "ramp.*" }))).toEqual([1, 2, 3]);
  expect(asked).toEqual(["?limit=2&type=ramp.*", "?limit=2&type=ramp.*&after=2"]);
});

test("what is found by counting comes once, though new items shift the pages", async () => {
  let isNew = false;
  const { client, asked } = serving((query) => {
    const list = isNew ? [{ id: "new" }, ...names(7)] : names(7);
    isNew = true;
    const skip = Number(query.get("skip") ?? 0);
    return { body: list.slice(skip, skip + Number(query.get("limit"))) };
  });
  expect(await all(client.ramp.wallets.list({ limit: 3 }))).toEqual(names(7));
  expect(asked).toEqual(["?limit=3", "?limit=3&skip=3", "?limit=3&skip=6"]);
});

test("trades of a pool are followed while any kind has more", async () => {
  const swaps = names(5);
  const mints = [{ id: "mint" }];
  const { client, asked } = serving((query) => {
    const skip = Number(query.get("skip") ?? 0);
    return { body: { swaps: swaps.slice(skip, skip + 2), mints: mints.slice(skip, skip + 2) } };
  });
  const trades = await all(client.dex.trades("uniswap-v3", "ethereum", "0x1", { limit: 2 }));
  expect(trades.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    ...["swap 0", "swap 1", "mint mint", "swap 2", "swap 3", "swap 4"],
  ]);
  expect(asked).toHaveLength(3);
});
