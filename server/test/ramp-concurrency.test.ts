import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Slipway } from "@slipway/sdk";
import { describe, expect, test } from "vitest";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { newBankAccount, newWallet, purchaseBody, saleBody } from "./payment-methods.ts";
import { postmastersUnder } from "./postgres-processes.ts";
import { type Answer, type CreateClient, openClient } from "./ramp-crash/create-client.ts";
import { type Cut, startCuttingProxy } from "./ramp-crash/cutting-proxy.ts";
import { expectSound, readBalances, readEnd } from "./ramp-crash/ends.ts";
import { live, movedClock, openTestDatabase } from "./ramp-crash/life.ts";
import { countPoints } from "./ramp-crash/points.ts";
import { noon, populate } from "./ramp-crash/stories.ts";
import { createTestDatabase } from "./test-database.ts";
import { startService, type TestService } from "./test-service.ts";

/** `CREATES=100000 npx vitest run server/test/ramp-concurrency.test.ts` is the long version. */
const requestCount = Number(process.env.CREATES ?? 1_000);
const clientCount = 32;
const path = "/v2/ramp/transactions";

const clientOf = ({ url }: TestService, key = "master") =>
  new Slipway({ baseUrl: url, apiKey: `slp_sandbox_${key}` });

/** The embedded database of a service, as the service itself reaches it. */
function databaseOf({ dataFolder }: TestService): Database {
  const lock = readFileSync(join(dataFolder, "postgres/postmaster.pid"), "utf8").split("\n");
  const [port, host] = [Number(lock[3]), lock[4] ?? ""];
  return openTestDatabase({ host, port, user: "slipway", database: "slipway" }, 1);
}

/** A master and two of its subaccounts, and what each of them can ask for. */
async function customersOf(service: TestService): Promise<{ userId: string; bodies: string[] }[]> {
  const master = clientOf(service);
  const customers = [];
  for (const name of ["", "Ada King", "Eva Lund"]) {
    const userId = name ? await newSubaccount(master, name) : undefined;
    const whose = userId === undefined ? {} : { userId };
    const methods = {
      wallet: await newWallet(master, "base", userId),
      bankAccount: await newBankAccount(master, { fullName: name || "Sandbox Master", ...whose }),
    };
    const bodies = [saleBody(methods), purchaseBody(methods)].map((body) =>
      JSON.stringify({ ...body, ...whose }),
    );
    customers.push({ userId: userId ?? "", bodies });
  }
  return customers;
}

async function newSubaccount(master: Slipway, name: string): Promise<string> {
  const email = `${name.replace(" ", ".")}@example.org`;
  const { newSubAccountId } = await master.ramp.subaccounts.create({ name, email });
  await master.sandbox.verify({ userId: newSubAccountId, status: "approved" });
  return newSubAccountId;
}

/** A request that is sent once or twice, and what was answered. */
type Create = { key: string; body: string; repeats: "never" | "later" | "at once" | "after a cut" };

const waysToRepeat = ["later", "at once", "after a cut"] as const;

/** Every third request is one that was sent before. */
function planCreates(bodies: readonly string[]): Create[] {
  const creates: Create[] = [];
  for (let sent = 0, n = 0; sent < requestCount; n++) {
    const repeats = n % 2 === 0 ? (waysToRepeat[(n / 2) % 3] ?? "never") : "never";
    creates.push({ key: `key ${n}`, body: bodies[n % bodies.length] ?? "", repeats });
    sent += repeats === "never" ? 1 : 2;
  }
  return creates;
}

/** Sends until it is answered. Being told to wait is normal; other failures are only where something is broken on purpose. */
async function insist(
  client: CreateClient,
  to: string,
  { key, body }: { key: string; body: string },
  isBroken = false,
): Promise<Answer> {
  for (let attempts = 0; attempts < 2_000; attempts++) {
    const answer = await client.post(to, key, body);
    const isBusy = answer?.status === 409 && answer.body.includes("still being processed");
    const isLost = !answer || answer.status === 503;
    if (answer && !isBusy && !(isBroken && isLost)) return answer;
    if (isLost && !isBroken) throw new Error(`the connection broke under ${key}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${key} was never answered`);
}

const idOf = ({ body }: Answer): string => (JSON.parse(body) as { id: string }).id;

test("many creates at once, a third of them repeated: each happens once and is answered alike", async () => {
  const service = await startService();
  const customers = await customersOf(service);
  const creates = planCreates(customers.flatMap(({ bodies }) => bodies));
  const answers = new Map<string, Answer[]>();
  const note = ({ key }: Create, answer: Answer) =>
    answers.set(key, [...(answers.get(key) ?? []), answer]);
  const queue = creates.flatMap((create) =>
    create.repeats === "at once" ? [create, create] : create,
  );

  async function send(client: CreateClient, create: Create): Promise<void> {
    const { key, body, repeats } = create;
    if (repeats === "after a cut") {
      const cutAfterMs = Number(key.slice(4)) % 40;
      const answer = await client.post(path, key, body, cutAfterMs);
      if (answer) note(create, answer);
    }
    note(create, await insist(client, path, create));
    if (repeats === "later") note(create, await insist(client, path, create));
  }

  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: clientCount }, async () => {
      const client = openClient(service.url);
      for (let create = queue.shift(); create; create = queue.shift()) await send(client, create);
      client.close();
    }),
  );

  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(
    `${(requestCount / seconds).toFixed(0)} requests a second, of which two thirds create`,
  );
  const all = [...answers.values()].flat();
  expect(all.filter(({ status }) => status !== 201)).toEqual([]);
  expect(answers.size).toBe(creates.length);
  const differing = [...answers].filter(([, same]) => new Set(same.map((a) => a.body)).size > 1);
  expect(differing).toEqual([]);
  const acknowledged = [...answers.values()].map(([first]) => first && idOf(first));
  const db = databaseOf(service);
  const rows = await db.query<{ id: string }>(sql`select id from ramp_transactions`);
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(acknowledged));
  expect(rows).toHaveLength(creates.length);
  expect(all.filter(({ isReplayed }) => isReplayed).length).toBeGreaterThan(creates.length / 4);
  await expectGapFree(db, creates.length);
  await db.close();
  expect(await clientOf(service, "operator").operator.invariants()).toMatchObject({ ok: true });
  expect(service.output()).not.toMatch(/deadlock|"level":"(error|fatal)"|ERROR/);
  await service.stop();
}, 600_000);

/** The master's list has an event for every transaction, and no list has a gap. */
async function expectGapFree(db: Database, created: number): Promise<void> {
  const lists = await db.query<{ events: bigint; last: bigint; created: bigint }>(sql`
    select count(*) as events, max(sequence) as last,
      count(distinct transaction_id) filter (where type = 'ramp.transaction.created') as created
    from ramp_events group by user_id`);
  expect(lists.filter(({ events, last }) => events !== last)).toEqual([]);
  const most = Math.max(...lists.map((list) => Number(list.created)));
  expect(most).toBe(created);
}

describe("while money moves", () => {
  const dieTogether = (db: Database) =>
    db.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`);

  test("the database dies again and again: nothing acknowledged is lost, nothing is paid twice", async () => {
    const service = await startService();
    const [customer] = await customersOf(service);
    const body = customer?.bodies[0] ?? "";
    const sales: string[] = [];
    let isStopped = false;
    const work = async (_: unknown, worker: number) => {
      const client = openClient(service.url);
      for (let n = 0; !isStopped; n++) {
        const create = { key: `create ${worker} ${n}`, body };
        const created = await insist(client, path, create, true);
        expect(created.status, created.body).toBe(201);
        sales.push(idOf(created));
        const money = JSON.stringify({ transactionId: idOf(created), quantity: "100" });
        const deposit = { key: `deposit ${worker} ${n}`, body: money };
        const sent = await insist(client, "/sandbox/deposits", deposit, true);
        expect(sent.status, sent.body).toBe(201);
      }
      client.close();
    };
    const running = Promise.all(Array.from({ length: 4 }, work));
    running.catch(() => {});
    const grown = (from: number) =>
      expect.poll(() => sales.length, { interval: 5 }).toBeGreaterThan(from + 5);

    for (let round = 0; round < 3; round++) {
      await grown(sales.length);
      const [killed = 0] = postmastersUnder(service.dataFolder);
      if (round === 1) process.kill(killed, "SIGKILL");
      else {
        const db = databaseOf(service);
        await dieTogether(db);
        await db.close();
      }
      await grown(sales.length);
    }
    isStopped = true;
    await running;

    const client = openClient(service.url);
    const later = { key: "later", body: JSON.stringify({ advanceSeconds: 14 * 24 * 3_600 }) };
    const moved = await insist(client, "/sandbox/clock", later);
    expect(moved.status, moved.body).toBe(200);
    client.close();
    const db = databaseOf(service);
    const ends = await db.query<{ id: string; state: string; payments: bigint }>(sql`
      select transactions.id, transactions.state, count(payments.reference) as payments
      from ramp_transactions transactions
      left join payouts on payouts.transaction_id = transactions.id
      left join sandbox_payments payments on payments.reference = payouts.id
      group by transactions.id`);
    await db.close();
    expect(ends.filter((end) => end.state !== "COMPLETED" || end.payments !== 1n)).toEqual([]);
    expect(new Set(ends.map(({ id }) => id))).toEqual(new Set(sales));
    expect(await clientOf(service, "operator").operator.invariants()).toMatchObject({ ok: true });
    await service.stop();
  }, 120_000);

  test("a connection breaks at a commit, and nobody knows what became of it: the end is the same", async () => {
    const { address, drop } = await createTestDatabase();
    const outside = openTestDatabase(address, 1);
    await populate(outside);
    const proxy = await startCuttingProxy(address);
    const story = "a purchase";

    /** Goes on after every failure, as the service does. */
    async function tell(key: string) {
      const before = await readBalances(outside);
      const clock = movedClock(noon);
      const db = openTestDatabase(proxy.address, 2);
      const points = countPoints(undefined, () => new Promise(() => {}));
      const once = () => live({ db, outside }, points, clock, { story, key });
      let failures = 0;
      const insisting = async (): Promise<string> =>
        once().catch((error: unknown) => {
          if (++failures > 3) throw error;
          return insisting();
        });
      const end = await readEnd(outside, await insisting(), before);
      await db.close();
      return { end, failures };
    }

    const whole = await tell("whole");
    const commits = proxy.commits();
    const cuts: [commit: number, cut: Cut][] = [[1, "before"]];
    for (let commit = 1; commit <= commits; commit += commit < 8 ? 1 : 5)
      cuts.push([commit, "after"]);
    let failed = 0;
    for (const [commit, cut] of cuts) {
      proxy.cutAt(commit, cut);
      const { end, failures } = await tell(`${cut} ${commit}`);
      expect(end, `cut ${cut} commit ${commit}`).toEqual(whole.end);
      failed += failures;
    }
    expect(failed).toBeGreaterThan(cuts.length / 4);
    const created = await outside.query(sql`select from ramp_transactions`);
    expect(created).toHaveLength(1 + cuts.length);
    await expectSound(outside, noon);
    await proxy.close();
    await outside.close();
    await drop();
  }, 120_000);
});
