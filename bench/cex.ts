import { parseArgs } from "node:util";
import autocannon from "autocannon";
import type { ApiAnswer, ApiOrders } from "./cex/api-process.ts";
import type { BareAnswer, BareOrders, Bytes } from "./cex/bare-process.ts";
import type { PassThroughAnswer } from "./cex/pass-through-process.ts";
import { benchCexBook } from "./cex-book.ts";
import { benchCexTrades } from "./cex-trades.ts";
import { withPostgres } from "./postgres.ts";
import { startProcess } from "./process.ts";
import { median } from "./usage.ts";

const apiKey = "slp_sandbox_master";
const connections = 32;
const changesPerSecond = 200;
const levels = 1_000;
const orders = "/v2/cex/kraken/BTC-USD/orders";
const price = "/v2/cex/kraken/BTC-USD/currentprice";

type Target = { name: string; url: string; path: string; perSecond: number[]; p99: number[] };

/** The way of the data: from the exchange into a book, from there to clients, and trades into the tables and out. */
export async function benchCex(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { quick: { type: "boolean", default: false } } });
  await benchLive(values.quick ? 3 : 10);
  await benchCexBook(values.quick ? ["--changes", "10000", "--rounds", "3"] : []);
  await benchCexTrades(values.quick ? ["--quick"] : []);
}

/** A live book and a live price under load while they change, beside the floor and beside asking for each request. */
async function benchLive(rounds: number): Promise<void> {
  await withPostgres(async (postgres) => {
    const database = await postgres.create("bench_cex");
    const asked: ApiOrders = { database, levels, changesPerSecond };
    const ours = await startProcess<ApiAnswer>("./cex/api-process.ts", asked);
    const answers: BareOrders["answers"] = {
      [orders]: await answerOf(ours.answer.url + orders),
      [price]: await answerOf(ours.answer.url + price),
    };
    const bare = await startProcess<BareAnswer>("./cex/bare-process.ts", { answers });
    const peer = await startProcess<PassThroughAnswer>("./cex/pass-through-process.ts", {});
    console.log(
      `The book has ${levels} levels on each side and changes ${changesPerSecond} times a second; an answer has ` +
        `${answers[orders]?.body.length} bytes. ${connections} connections, ${rounds} rounds.`,
    );
    const target = (
      name: string,
      { answer }: { answer: { url: string } },
      path: string,
    ): Target => ({
      name,
      url: answer.url,
      path,
      perSecond: [],
      p99: [],
    });
    const tables = [
      [target("node:http, the floor", bare, orders), target("slipway /orders", ours, orders)],
      [target("node:http, the floor", bare, price), target("slipway /currentprice", ours, price)],
    ];
    tables[0]?.push(target("ccxt for each request", peer, orders));
    for (const targets of tables) await compare(targets, rounds);
    for (const process of [ours, bare, peer]) await process.stop();
  });
}

/** Loads servers in turn, several times, so that a noisy machine is fair to all. */
async function compare(targets: readonly Target[], rounds: number): Promise<void> {
  for (const target of targets) await load(target, 3);
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) await measure(target);
  }
  report(targets);
}

/** What Node adds by itself. */
const added = new Set(["connection", "keep-alive", "date"]);

/** Asks until the market is live. */
async function answerOf(url: string): Promise<Bytes> {
  for (let attempt = 0; attempt < 100; attempt++) {
    // Uncompressed, as the load asks for it.
    const response = await fetch(url, { headers: { apiKey, "accept-encoding": "identity" } });
    const body = await response.text();
    const headers = [...response.headers].filter(([name]) => !added.has(name)).flat();
    if (response.headers.get("slipway-source") === "websocket") return { headers, body };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} is not live.`);
}

async function load({ url, path }: Target, duration: number): Promise<autocannon.Result> {
  const headers = { apiKey };
  const result = await autocannon({ url: url + path, connections, duration, headers });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}${path} fails under load.`);
  return result;
}

async function measure(target: Target): Promise<void> {
  const { requests, latency } = await load(target, 2);
  target.perSecond.push(requests.average);
  target.p99.push(latency.p99);
}

/** Ratios are taken within each round, where the machine was equally busy for all, and then their median. */
function report([floor, ...others]: readonly Target[]): void {
  console.log(`\n${row("server", "requests/s", "p99 ms", "of floor", "p99 / floor")}`);
  for (const target of floor ? [floor, ...others] : []) {
    const ratio = (figure: "perSecond" | "p99") =>
      median(target[figure].map((value, round) => value / (floor?.[figure][round] || 1)));
    const percent = `${(100 * ratio("perSecond")).toFixed(0)} %`;
    const { name, perSecond, p99 } = target;
    console.log(
      row(
        name,
        median(perSecond).toFixed(0),
        median(p99).toFixed(1),
        percent,
        ratio("p99").toFixed(1),
      ),
    );
  }
}

function row(name: string, ...cells: string[]): string {
  return name.padEnd(24) + cells.map((cell) => cell.padStart(12)).join("");
}
