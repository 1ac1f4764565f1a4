import { Agent, get } from "node:http";
import { text } from "node:stream/consumers";
import type { Database } from "../../server/src/database/database.ts";
import { sql } from "../../server/src/database/sql.ts";
import type { Postgres } from "../postgres.ts";
import { startProcess } from "../process.ts";
import { percentile } from "../usage.ts";
import type { ApiAnswer, ApiOrders } from "./api-process.ts";
import { create, type Kind, master, openScene, requestFor } from "./scene.ts";

const apiKey = "slp_sandbox_master";
const perAccount = 100;
const warmUps = 50;
const path = "/v2/ramp/transactions";
const kinds: readonly Kind[] = ["sale by ACH", "purchase"];

/** A database with so many transactions, the API that serves it, and the ids of those of the key. */
type Site = { size: number; url: string; ids: string[]; stop(): Promise<void> };

/** What is asked; `pick` is another number each time. */
const questions: readonly { name: string; of(ids: readonly string[], pick: number): string }[] = [
  { name: "the whole list", of: () => "" },
  { name: "a page of 20", of: (ids, pick) => `?limit=20&after=${ids[pick % (ids.length - 20)]}` },
  { name: "those of a state", of: () => "?state=COMPLETED&limit=20" },
  { name: "one transaction", of: (ids, pick) => `/${ids[pick % ids.length]}` },
];

/** Asks for the transactions of one key where there are few others and where there are many, in turn. */
export async function benchLists(
  postgres: Postgres,
  { sizes, requests }: { sizes: readonly number[]; requests: number },
): Promise<void> {
  const sites: Site[] = [];
  for (const size of sizes) {
    console.log(`\nfilling in ${size} transactions`);
    sites.push(await openSite(postgres, size));
  }
  console.log(
    `the ${perAccount} transactions of one key over HTTP, ${requests} requests of each kind, one at a time, in turn`,
  );
  console.log(
    row("milliseconds", ...sizes.flatMap((size) => [`p50 of ${size}`, "p99"]), "ratio", "noise"),
  );
  for (const question of questions) report(question.name, await ask(question.of, sites, requests));
  console.log("The ratio is how much longer it takes among more of them (aim: at most 1.5).");
  for (const site of sites) await site.stop();
}

async function openSite(postgres: Postgres, size: number): Promise<Site> {
  const database = await postgres.create(`bench_ramp_${size}`);
  const orders: ApiOrders = { database };
  const api = await startProcess<ApiAnswer>("./ramp/api-process.ts", orders);
  const { db, ramp } = await openScene(database, [master], 1);
  for (const kind of kinds) await create(db, ramp, master, requestFor(master, kind));
  await fill(db, size);
  const rows = await db.query<{ id: string }>(sql`
    select id from ramp_transactions where user_id = ${master} order by created_at desc, id desc`);
  await db.close();
  await postgres.settle();
  return { size, url: api.answer.url, ids: rows.map(({ id }) => id), stop: api.stop };
}

/** Every account has a hundred, scattered over time. They are copies of real ones with ids of their own. */
async function fill(db: Database, size: number): Promise<void> {
  const accounts = size / perAccount;
  // What we write is right, and may take its time.
  await db.query(sql`set session_replication_role = replica`);
  await db.query(sql`set statement_timeout = 0`);
  await db.query(sql`
    create temporary table model as
    select row_number() over (order by type) - 1 as number, * from ramp_transactions`);
  await db.query(sql`truncate ramp_transactions cascade`);
  await db.query(sql`
    insert into users (id, name, email, verification, created_at, updated_at)
    select 'usr-' || 30000000000000 + n, 'Ada Lovelace', n || '@bench.example', 'approved', created_at, created_at
    from generate_series(1, ${accounts - 1}) n, users where id = ${master}`);
  await db.query(sql`
    insert into ramp_transactions (
      id, user_id, type, settlement_method, state, version, is_open, source_order_id, destination_order_id, wallet_id,
      bank_account_id, blockchain, currency, reference, deposit_address, reason, ramp, created_at, updated_at,
      completed_at, due_at)
    select fresh.id, fresh.user_id, type, settlement_method, fresh.state, version, not is_completed,
      'ord-1' || n, 'ord-2' || n, wallet_id, bank_account_id, blockchain, currency,
      case when reference is not null then 'R' || n end,
      case when deposit_address is not null then '0x' || lpad(to_hex(n), 40, '0') end, reason,
      ramp || jsonb_build_object('id', fresh.id, 'userId', fresh.user_id, 'state', fresh.state,
        'createdAt', extract(epoch from at) * 1000, 'updatedAt', extract(epoch from at) * 1000),
      at, at, case when is_completed then at end, case when not is_completed then at + interval '7 days' end
    from generate_series(0, ${size - 1}::bigint) n
    join model on model.number = n / ${accounts} % 2
    cross join lateral (select
      'txn-' || 10000000000000 + n * 7919 % 89999999999999 as id,
      case n % ${accounts} when 0 then ${master} else 'usr-' || 30000000000000 + n % ${accounts} end as user_id,
      n / ${accounts} % 10 <> 0 as is_completed,
      timestamptz '2026-01-01Z' + n * interval '31 seconds' as at,
      case when n / ${accounts} % 10 <> 0 then 'COMPLETED' else model.state end as state
    ) as fresh`);
  await db.query(sql`vacuum analyze`);
}

/** Milliseconds of every request, for each site. They take turns, so that a busy moment hits all. */
async function ask(
  of: (ids: readonly string[], pick: number) => string,
  sites: readonly Site[],
  requests: number,
): Promise<number[][]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = sites.map((): number[] => []);
  for (let request = -warmUps; request < requests; request++) {
    for (const [index, { url, ids }] of sites.entries()) {
      const asked = url + path + of(ids, request + warmUps);
      const began = performance.now();
      const answer = await fetchText(agent, asked);
      const ms = performance.now() - began;
      if (request >= 0) times[index]?.push(ms);
      else if (!answer.includes("txn-")) throw new Error(`${asked} is empty.`);
    }
  }
  agent.destroy();
  return times;
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

function report(name: string, times: readonly number[][]): void {
  const [small = [], large = []] = times;
  const ratio = percentile(large, 50) / percentile(small, 50);
  const noise = (percentile(small, 75) - percentile(small, 25)) / percentile(small, 50);
  const cells = times.flatMap((own) => [percentile(own, 50), percentile(own, 99)]);
  const figures = cells.map((cell) => cell.toFixed(2));
  console.log(row(name, ...figures, ratio.toFixed(2), `${(100 * noise).toFixed(0)} %`));
}

function row(name: string, ...cells: string[]): string {
  return name.padEnd(20) + cells.map((cell) => cell.padStart(15)).join("");
}
