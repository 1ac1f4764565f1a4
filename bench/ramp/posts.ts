import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { context } from "../built.ts";
import type { Postgres } from "../postgres.ts";
import { startProcess } from "../process.ts";
import { median, percentile } from "../usage.ts";
import type { ApiAnswer, ApiOrders } from "./api-process.ts";
import { bodyFor, master, openScene } from "./scene.ts";

const apiKey = "slp_sandbox_master";
const connections = 8;

/** For information: creates over HTTP with one key, each with an Idempotency-Key of its own. */
export async function benchPosts(
  postgres: Postgres,
  { rounds, perRound }: { rounds: number; perRound: number },
): Promise<void> {
  const database = await postgres.create("bench_ramp_posts");
  const orders: ApiOrders = { database };
  const api = await startProcess<ApiAnswer>("./ramp/api-process.ts", orders);
  const { db } = await openScene(database, [master], 1);
  await db.close();
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const url = `${api.answer.url}/v2/ramp/transactions`;
  const body = JSON.stringify(bodyFor(master, "sale by ACH"));
  const perSecond: number[] = [];
  const times: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const began = performance.now();
    const all = Array.from({ length: perRound }, () => post(agent, url, body));
    const own = await Promise.all(all);
    if (round < 0) continue;
    perSecond.push((1_000 * perRound) / (performance.now() - began));
    times.push(...own);
  }
  agent.destroy();
  await api.stop();
  console.log(
    `\nFor information, POST /v2/ramp/transactions of one account over ${connections} connections: ` +
      `${median(perSecond).toFixed(0)} per second, p99 ${percentile(times, 99).toFixed(0)} ms`,
  );
}

/** Milliseconds until the answer was there, from when a connection was free. */
function post(agent: Agent, url: string, body: string): Promise<number> {
  const headers = {
    apiKey,
    "content-type": "application/json",
    "idempotency-key": context.random.bytes(16).toString("hex"),
  };
  return new Promise((resolve, reject) => {
    let began = 0;
    const asked = request(url, { agent, method: "POST", headers }, async (response) => {
      const answer = await text(response);
      if (response.statusCode === 201) resolve(performance.now() - began);
      else reject(new Error(`POST gives ${response.statusCode}: ${answer}`));
    });
    asked.on("socket", () => {
      began = performance.now();
    });
    asked.on("error", reject).end(body);
  });
}
