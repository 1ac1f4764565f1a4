import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { binance } from "../server/src/cex/feeds/own/binance.ts";
import { BookTracker } from "../server/src/cex/feeds/own/book-tracker.ts";
import { kraken } from "../server/src/cex/feeds/own/kraken.ts";
import type { Protocol } from "../server/src/cex/feeds/own/protocol.ts";
import { OrderBook } from "../server/src/cex/order-book.ts";
import { tellBinance, tellKraken } from "../server/test/book-frames.ts";
import { type BookStory, bookStory, type Sides } from "../server/test/book-story.ts";
import { measure, median } from "./usage.ts";

/** The parts of ccxt's classes that are measured. */
type CcxtSide = { store(price: number, size: number): void; length: number };
type CcxtBook = { bids: CcxtSide; asks: CcxtSide; limit(): void; reset(book: object): void };
type CcxtExchange = {
  orderbooks: Record<string, CcxtBook>;
  orderBook(snapshot: object, depth: number): CcxtBook;
  handleMessage(client: object, message: unknown): void;
};

const depth = 1_000;

/** One way to do the work: returns the number of levels it has in the end, so that nobody can skip it. */
type Contender = { title: string; run(): number };
type Contest = { title: string; unit: string; count: number; contenders: Contender[] };

/** Follows order books: our way with all checks, ccxt's without, and the least that must be done. */
export async function benchCexBook(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      changes: { type: "string", default: "50000" },
      rounds: { type: "string", default: "7" },
    },
  });
  const changes = Number(values.changes);
  const story = bookStory({ seed: 1, levels: depth, changes, levelsKept: 10 });
  for (const contest of [
    await krakenContest(story),
    await binanceContest(story),
    await levelContest(story),
  ]) {
    report(contest, await runRounds(contest, Number(values.rounds)));
  }
}

async function krakenContest(story: BookStory): Promise<Contest> {
  const { whole, changes } = tellKraken(story);
  const frames = [whole, ...changes];
  const open = await ccxtClass("kraken");
  return {
    title: `Kraken v2, ${depth} levels a side`,
    unit: "frames",
    count: frames.length,
    contenders: [
      { title: "slipway, checksums verified", run: () => follow(kraken, story, frames) },
      {
        title: "ccxt, checksums not verified",
        run() {
          const exchange = open();
          for (const frame of frames) exchange.handleMessage(client, JSON.parse(frame));
          return levelsOf(exchange.orderbooks[story.market.symbol]);
        },
      },
      { title: "JSON.parse alone", run: () => parseAll(frames) },
    ],
  };
}

async function binanceContest(story: BookStory): Promise<Contest> {
  const frames = tellBinance(story).changes;
  const open = await ccxtClass("binance");
  const { market, start } = story;
  return {
    title: `Binance, ${depth} levels a side`,
    unit: "frames",
    count: frames.length,
    contenders: [
      { title: "slipway, numbers verified", run: () => follow(binance, story, frames) },
      {
        title: "ccxt, numbers verified",
        run() {
          const exchange = open();
          const book = exchange.orderBook({}, depth);
          exchange.orderbooks[market.nativeId] = book;
          book.reset({ bids: pairs(start.bids), asks: pairs(start.asks), nonce: 0 });
          for (const frame of frames) exchange.handleMessage(client, JSON.parse(frame));
          return levelsOf(exchange.orderbooks[market.nativeId]);
        },
      },
      { title: "JSON.parse alone", run: () => parseAll(frames) },
    ],
  };
}

async function levelContest({ start, changes }: BookStory): Promise<Contest> {
  const open = await ccxtClass("kraken");
  const count = changes.reduce((sum, { bids, asks }) => sum + (bids.length + asks.length) / 2, 0);
  return {
    title: `Level changes, ${depth} levels a side`,
    unit: "levels",
    count,
    contenders: [
      {
        title: "slipway's order book",
        run() {
          const book = new OrderBook();
          book.reset(start.bids, start.asks);
          for (const { bids, asks } of changes) book.apply(bids, asks);
          return book.bids.count + book.asks.count;
        },
      },
      {
        title: "ccxt's order book",
        run() {
          const book = open().orderBook({}, depth);
          storeAll(book, start);
          for (const change of changes) storeAll(book, change);
          return levelsOf(book);
        },
      },
    ],
  };
}

/** What our feeds do with frames, but for the socket. */
function follow(protocol: Protocol, { market, start }: BookStory, frames: string[]): number {
  const { levelsMost, checkOf } = protocol;
  const tracker = new BookTracker({ levelsMost, check: checkOf?.(market) });
  if (protocol.wholeBooks === "rest") tracker.snapshot({ ...start, nonce: 0 });
  const talk = protocol.openTalk();
  for (const frame of frames) {
    for (const said of talk.read(frame)) {
      if (said.kind === "change") tracker.change(said);
      else if (said.kind === "whole") tracker.whole(said.bids, said.asks, said.checksum);
    }
  }
  if (!tracker.book) throw new Error("The book was lost on the way.");
  return tracker.book.bids.count + tracker.book.asks.count;
}

function parseAll(frames: string[]): number {
  let count = 0;
  for (const frame of frames) count += JSON.parse(frame) ? 1 : 0;
  return count;
}

function storeAll(book: CcxtBook, { bids, asks }: Sides): void {
  for (let at = 0; at < bids.length; at += 2) book.bids.store(bids[at] ?? 0, bids[at + 1] ?? 0);
  for (let at = 0; at < asks.length; at += 2) book.asks.store(asks[at] ?? 0, asks[at + 1] ?? 0);
  book.limit();
}

function levelsOf(book: CcxtBook | undefined): number {
  if (!book) throw new Error("ccxt lost the book on the way.");
  return book.bids.length + book.asks.length;
}

function pairs(levels: number[]): number[][] {
  return levels.flatMap((price, at) => (at % 2 === 0 ? [[price, levels[at + 1] ?? 0]] : []));
}

/** ccxt tells a connection that there is news. Nobody listens here. */
const client = {
  url: "wss://stream.binance.com:9443/ws",
  subscriptions: {},
  resolve() {},
  reject(error: unknown) {
    throw error;
  },
};

/** ccxt exports no single classes; by the file it takes a tenth of a second instead of one. */
async function ccxtClass(id: string): Promise<() => CcxtExchange> {
  const file = new URL(`../node_modules/ccxt/js/src/pro/${id}.js`, import.meta.url);
  const { default: Exchange } = (await import(file.href)) as { default: new () => CcxtExchange };
  return () => new Exchange();
}

/** Rates by contender: each round does everything once, so that where the machine was busy, it was so for all. */
async function runRounds({ contenders, count }: Contest, rounds: number): Promise<number[][]> {
  const rates: number[][] = [];
  // The first round only warms up.
  for (let round = 0; round <= rounds; round++) {
    const inRound: number[] = [];
    for (const { run } of contenders) {
      const { cpuSeconds } = await measure(async () => run());
      inRound.push(count / cpuSeconds);
    }
    if (round > 0) rates.push(inRound);
  }
  return rates;
}

function report({ title, unit, contenders }: Contest, rounds: number[][]): void {
  const rateOf = (at: number) => median(rounds.map((rates) => rates[at] ?? 0));
  console.log(`\n${title.padEnd(48)}${unit}/CPU s`);
  for (const [at, contender] of contenders.entries())
    console.log(`${contender.title.padEnd(48)}${rateOf(at).toFixed(0).padStart(12)}`);
  for (const [at, { title: other }] of contenders.entries()) {
    if (at === 0) continue;
    const ratio = median(rounds.map((rates) => (rates[0] ?? 0) / (rates[at] ?? 1)));
    const aim = other.startsWith("ccxt") ? "   aim: at least 2" : "";
    console.log(`${`slipway / ${other}`.padEnd(48)}${ratio.toFixed(2).padStart(12)}${aim}`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await benchCexBook(process.argv.slice(2));
