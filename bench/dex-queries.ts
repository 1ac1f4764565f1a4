import { Agent, get } from "node:http";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import type { Database } from "../server/src/database/database.ts";
import { openBenchDatabase } from "./built.ts";
import type { ApiAnswer, ApiOrders } from "./dex/api-process.ts";
import { fillHistory, type History } from "./dex/history.ts";
import { type Query, queries } from "./dex/queries.ts";
import { type Postgres, withPostgres } from "./postgres.ts";
import { startProcess } from "./process.ts";
import { percentile } from "./usage.ts";

const apiKey = "slp_sandbox_master";
const warmUps = 100;

/** A database with its history, and the API that serves it. */
type Site = { db: Database; history: History; url: string; stop(): Promise<void> };

/** Milliseconds of each request, and of the same question straight to the database. */
type Times = { http: number[]; floor: number[] };

/** Asks the API the same things of a short and of a long history, beside the same SQL without the API. */
export async function benchDexQueries(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      small: { type: "string", default: "10000" },
      large: { type: "string", default: "1000000" },
      requests: { type: "string", default: "2000" },
    },
  });
  const { small, large, requests } = values;
  await withPostgres(async (postgres) => {
    const sites: Site[] = [];
    for (const trades of [small, large]) {
      console.log(`filling in ${trades} trades`);
      sites.push(await openSite(postgres, Number(trades)));
    }
    console.log(`${requests} requests of each kind, one at a time, in turn to both\n`);
    console.log(
      row("milliseconds", small, "p99", large, "p99", "ratio", "SQL alone", "p99", "ratio"),
    );
    for (const query of queries) report(query.name, await ask(query, sites, Number(requests)));
    console.log(
      "\nThe first ratio is how much longer a request takes when there are more trades (aim: at most 1.5).",
    );
    console.log("SQL alone is the floor, with more trades. No peer serves such tables from npm.");
    for (const site of sites) await site.stop();
  });
}

async function openSite(postgres: Postgres, trades: number): Promise<Site> {
  const database = await postgres.create(`bench_${trades}`);
  const db = openBenchDatabase(database, 1);
  const history = await fillHistory(db, trades);
  const orders: ApiOrders = { database };
  const api = await startProcess<ApiAnswer>("./dex/api-process.ts", orders);
  const stop = async () => {
    await api.stop();
    await db.close();
  };
  return { db, history, url: api.answer.url, stop };
}

/** Small and large, with and without the API, take turns, so that a busy moment hits all of them. */
async function ask(query: Query, sites: readonly Site[], requests: number): Promise<Times[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = sites.map((): Times => ({ http: [], floor: [] }));
  for (let request = -warmUps; request < requests; request++) {
    for (const [index, { db, history, url }] of sites.entries()) {
      const { path, isFull, run } = query.about(history, request + warmUps);
      const http = await timed(() => fetchText(agent, url + path));
      if (request === 0 && !isFull(JSON.parse(http.result)))
        throw new Error(`${path} is not full.`);
      const floor = await timed(() => run(db));
      if (request < 0) continue;
      times[index]?.http.push(http.ms);
      times[index]?.floor.push(floor.ms);
    }
  }
  agent.destroy();
  return times;
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const began = performance.now();
  const result = await work();
  return { ms: performance.now() - began, result };
}

function fetchText(agent: Agent, url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { apiKey } }, async (response) => {
      const body = await text(response);
      if (response.statusCode === 200) resolve(body);
      else reject(new Error(`${url} gives ${response.statusCode}: ${body}`));
    }).on("error", reject);
  });
}

function report(name: string, [small, large]: readonly Times[]): void {
  const figures = (times: number[] = []) => [percentile(times, 50), percentile(times, 99)];
  const ratio = (kind: keyof Times) =>
    percentile(large?.[kind] ?? [], 50) / percentile(small?.[kind] ?? [], 50);
  const cells = [
    ...figures(small?.http),
    ...figures(large?.http),
    ratio("http"),
    ...figures(large?.floor),
    ratio("floor"),
  ];
  console.log(row(name, ...cells.map((cell) => cell.toFixed(2))));
}

function row(name: string, ...cells: string[]): string {
  return name.padEnd(24) + cells.map((cell) => cell.padStart(10)).join("");
}
