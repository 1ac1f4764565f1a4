import type { DueRunner } from "../../server/src/database/due.ts";
import { sql } from "../../server/src/database/sql.ts";
import type { OnRamp } from "../../server/src/ramp/transaction.ts";
import { built, context } from "../built.ts";
import type { Postgres } from "../postgres.ts";
import { startProcess } from "../process.ts";
import { measure, median, percentile } from "../usage.ts";
import type { ReceiverAnswer } from "./receiver-process.ts";
import { create, customerIds, openScene, requestFor, type Scene } from "./scene.ts";

const { insertWebhook } =
  await built<typeof import("../../server/src/ramp/store/webhooks.ts")>("ramp/store/webhooks");
const { newSecret, secretPlace } =
  await built<typeof import("../../server/src/ramp/webhooks/secret.ts")>("ramp/webhooks/secret");
const { receiveWire, wireFor } =
  await built<typeof import("../../server/src/sandbox/ramp/wires.ts")>("sandbox/ramp/wires");

const accounts = 8;

/** How often, and how many of each account every time. */
type Amount = { rounds: number; perAccount: number };

/** For information: purchases from the wire that arrives to the confirmed payout, and their events on their way out. */
export async function benchMoneyOut(
  postgres: Postgres,
  { rounds, perAccount }: Amount,
): Promise<void> {
  const scene = await openScene(await postgres.create("bench_ramp_out"), customerIds(accounts), 10);
  const receiver = await startProcess<ReceiverAnswer>("./ramp/receiver-process.ts", {});
  await addWebhooks(scene, receiver.answer.port);
  const { runners } = scene.ramp;
  const webhooks = runners.filter(({ name }) => name === "webhooks");
  const others = runners.filter(({ name }) => name !== "webhooks");
  const payouts: number[] = [];
  const deliveries: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const count = await wireForPurchases(scene, perAccount);
    const paying = await measure(() => payAll(scene, others));
    let delivered = 0;
    const telling = await measure(async () => {
      delivered = await settle(webhooks);
    });
    if (round < 0) continue;
    payouts.push(count / paying.seconds);
    deliveries.push(delivered / telling.seconds);
  }
  await receiver.stop();
  await scene.db.close();
  console.log(
    `\nFor information, in one process, ${accounts} accounts with ${perAccount} purchases each, ${rounds} rounds:`,
  );
  report("payouts, from the wire to the confirmation", payouts);
  report("webhook deliveries to a receiver here", deliveries);
}

async function addWebhooks({ db, ramp, customers }: Scene, port: number): Promise<void> {
  for (const userId of customers) {
    const id = `whk-${userId.slice("usr-".length)}`;
    const secret = ramp.sealer.seal(newSecret(context.random), secretPlace(id, userId));
    const url = `http://127.0.0.1:${port}/`;
    const now = new Date(context.clock.now());
    await db.transact((tx) =>
      insertWebhook(tx, { id, userId, url, eventTypes: [], description: "", secret, now }),
    );
  }
}

/** Lets customers buy, and the wires for it arrive. Answers how many there are. */
async function wireForPurchases({ db, ramp, customers }: Scene, each: number): Promise<number> {
  for (const userId of customers) {
    const request = requestFor(userId, "purchase");
    for (let n = 0; n < each; n++) {
      const purchase = (await create(db, ramp, userId, request)) as OnRamp;
      if (purchase.cents === null) throw new Error("It does not say what is to be wired.");
      const sent = { bankReference: purchase.id, senderName: "Ada Lovelace" };
      const wire = wireFor(purchase, purchase.cents, sent);
      await db.transact((tx) => receiveWire(tx, wire, ramp.clock.now()));
    }
  }
  return each * customers.length;
}

/** Does everything that is due until every payout is confirmed, which takes the chain minutes. */
async function payAll({ db, ramp }: Scene, runners: readonly DueRunner[]): Promise<void> {
  await settle(runners);
  await ramp.sandboxClock?.advanceTo(ramp.clock.now() + 5 * 60_000);
  await settle(runners);
  const open = await db.query(sql`select id from ramp_transactions where state <> 'COMPLETED'`);
  if (open.length > 0) throw new Error(`${open.length} purchases are not completed.`);
}

/** Runs until nothing is left to do. Answers how much there was. */
async function settle(runners: readonly DueRunner[]): Promise<number> {
  let total = 0;
  for (let handled = -1; handled !== 0; total += handled) {
    handled = 0;
    for (const runner of runners) handled += await runner.run();
  }
  return total;
}

function report(name: string, perSecond: readonly number[]): void {
  const noise = (percentile(perSecond, 90) - percentile(perSecond, 10)) / median(perSecond);
  const figures = `${median(perSecond).toFixed(0).padStart(8)} per second`;
  console.log(`${name.padEnd(46)}${figures}, noise ${(100 * noise).toFixed(0)} %`);
}
