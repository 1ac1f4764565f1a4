import { Slipway, type SlipwayError } from "@slipway/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { leave, lineOf, notification, useBankWorld } from "../../../test/bank-world.ts";
import { createPurchase } from "../../../test/ramp-world.ts";
import { silentLog } from "../../../test/silent-log.ts";
import { sql } from "../../database/sql.ts";
import { type App, buildApp, usualPatience } from "../../http/app.ts";
import { openMetrics } from "../../http/metrics.ts";
import { systemRandom } from "../../lib/random.ts";
import { writeCamt053 } from "../rails/iso20022/camt053.ts";
import { addReconciliationMetrics } from "../reconciliation/reconciliation-metrics.ts";
import { operatorReconciliationEndpoints } from "./operator-reconciliations.ts";

const world = useBankWorld();
const metrics = openMetrics();
const apps: App[] = [];
let url: string;
let isolated: string;

/** What the chain says it holds, and a drift of it. */
const hot = "hot:USDC.base";
let drift = 0n;
const chain = {
  blockchain: "base",
  balances: async () =>
    [...world.ports.balances].map(([account, balance]) => ({
      account,
      balance: account === hot ? balance + drift : balance,
    })),
  asOf: async () => "block 7",
};

async function serve(isConnected: boolean): Promise<string> {
  const { context } = world;
  const reconciliation = { ...context, news: context.ports.news, chains: [chain] };
  const app = await buildApp({
    endpoints: operatorReconciliationEndpoints({
      ...context,
      reconciliation: isConnected ? reconciliation : undefined,
    }),
    authenticate: (key) => ({
      keyId: key,
      userId: "usr-77",
      scopes: new Set(key === "customer" ? [] : ["operator"]),
    }),
    ...{ mayActFor: () => false, limits: undefined, metrics, mode: "sandbox", version: "0" },
    ...{ trustedProxies: [], patience: usualPatience, random: systemRandom, log: silentLog },
  });
  apps.push(app);
  return app.listen({ host: "127.0.0.1", port: 0 });
}

beforeAll(async () => {
  addReconciliationMetrics(metrics.registry, world.db);
  url = await serve(true);
  isolated = await serve(false);
});
afterAll(() => Promise.all(apps.map((app) => app.close())));

const operator = (baseUrl = url, apiKey = "first") =>
  new Slipway({ baseUrl, apiKey, retries: 0 }).operator.reconciliations;
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    ({ status, message }: SlipwayError) => ({ status, message }),
  );

test("what cannot be compared yet is said, and what can be is compared", async () => {
  const { reports, notCompared } = await operator().run();
  expect(notCompared).toEqual([{ subject: "bank", reason: "the bank has left no statement yet" }]);
  const [report] = reports;
  expect(reports).toEqual([
    {
      ...{ id: report?.id, subject: "chain:base", asOf: "block 7", ok: true, compared: 2 },
      ...{ differences: [], inTransitCount: 0, createdAt: "2026-04-15T16:00:00.000" },
    },
  ]);
  const deeds = await world.db.query(sql`
    select action, target, detail from audit_log where action = 'reconciliation.run'`);
  const detail = JSON.stringify({ reports: [report?.id], notCompared });
  expect(deeds).toEqual([{ action: "reconciliation.run", target: "all", detail }]);
});

test("the bank is compared with its first statement, and what it does not have yet is in transit", async () => {
  const { reference } = await createPurchase(world);
  await leave(world, notification(world, lineOf(world, { texts: [reference] })));
  world.clock.advance(1_000);
  const [from, to] = [world.clock.now() - 1_000, world.clock.now()];
  const balances = { openingCents: 1_000_000_00n, closingCents: 1_000_000_00n, lines: [] };
  const named = { id: "S1", createdAt: "2026-04-15T18:00:00.000Z", accountNumber: "4400112233" };
  await leave(world, writeCamt053({ ...named, from, to, ...balances }));
  const { reports } = await operator().run("bank");
  expect(reports).toMatchObject([{ subject: "bank", ok: true, inTransitCount: 1 }]);
  const details = await operator().get(reports[0]?.id ?? "");
  expect(details.asOf).toBe("2026-04-15T16:00:01.000");
  expect(details.inTransit).toMatchObject([
    { item: expect.stringMatching(/^wire:/), asset: "USD", theirs: "0.00", ours: "100.00" },
  ]);
});

test("a request that is repeated with its key gets the same answer, and no second report", async () => {
  const options = { idempotencyKey: "compare-1" };
  const first = await operator().run("chain:base", options);
  expect(await operator().run("chain:base", options)).toEqual(first);
  const reports = await operator().list({ subject: "chain:base" });
  expect(reports.filter(({ id }) => id === first.reports[0]?.id)).toHaveLength(1);
  expect(reports).toHaveLength(2);
});

test("reports are listed newest first, page by page, by subject and by outcome", async () => {
  drift = 1n;
  world.clock.advance(1_000);
  const { reports } = await operator().run("chain:base");
  drift = 0n;
  expect(reports).toMatchObject([
    {
      ok: false,
      differences: [
        { item: `account:${hot}`, asset: "USDC.base", theirs: "1000000.000001", ours: "1000000" },
      ],
    },
  ]);
  const all = await operator().list();
  expect(all[0]).toEqual(reports[0]);
  expect(all).toHaveLength(4);
  const [newest, second] = all;
  expect(await operator().list({ limit: 1, after: newest?.id ?? "" })).toEqual([second]);
  expect(await operator().list({ ok: false })).toEqual(reports);
  expect(await operator().list({ subject: "bank", ok: true })).toHaveLength(1);
  const gauges = await metrics.registry.metrics();
  expect(gauges).toContain('slipway_reconciliation_ok{subject="bank"} 1');
  expect(gauges).toContain('slipway_reconciliation_ok{subject="chain:base"} 0');
});

test("what nobody knows is refused", async () => {
  expect(await faultOf(operator().run("chain:dogecoin"))).toEqual({
    status: 400,
    message: "400: subject must be one of bank, chain:base",
  });
  expect(await faultOf(operator().run("moon"))).toMatchObject({ status: 400 });
  expect(await faultOf(operator().get("rec-1"))).toMatchObject({ status: 404 });
  expect(await faultOf(operator().get("'"))).toMatchObject({ status: 404 });
  expect(await faultOf(operator().list({ after: "x" }))).toMatchObject({ status: 400 });
  expect(await faultOf(operator(url, "customer").list())).toMatchObject({ status: 403 });
  expect(await faultOf(operator(isolated).run())).toMatchObject({ status: 503 });
  expect(await operator(isolated).list({ limit: 1 })).toHaveLength(1);
});
