import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Clock, systemClock } from "../server/src/lib/clock.ts";
import { openLog } from "../server/src/lib/log.ts";
import { sandboxSeed } from "../server/src/sandbox/chain/market/fair-price.ts";
import { openExchangeServer } from "../server/src/sandbox/exchange/exchange-server.ts";
import { markets } from "../server/src/sandbox/exchange/market.ts";
import { startService } from "./service.ts";
import { median } from "./usage.ts";

const apiKey = "slp_sandbox_master";
const askEveryMs = 50;
const lookEveryMs = 10_000;

/** Time that starts in the past and runs faster, so that it ends in the present. */
function hurriedClock(speed: number, minutes: number): Clock {
  const startedAt = systemClock.now();
  const from = startedAt - minutes * 60_000 * (1 - 1 / speed);
  return {
    now: () => from + (systemClock.now() - startedAt) * speed,
    sleep: (ms, signal) => systemClock.sleep(ms / speed, signal),
  };
}

type Look = { rssMiB: number; heapMiB: number; lagMs: number };

/** Runs the service on many live markets of an exchange that is in a hurry, and watches memory and the event loop. */
export async function benchCexSoak(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: "string", default: "60" },
      speed: { type: "string", default: "10" },
      markets: { type: "string", default: "50" },
    },
  });
  const [minutes, speed] = [Number(values.minutes), Number(values.speed)];
  const wanted = markets
    .slice(0, Number(values.markets))
    .map(({ symbol }) => symbol.replace("/", "-"));
  const clock = hurriedClock(speed, minutes);
  const log = openLog({ level: "warn", pretty: true, write: (line) => process.stderr.write(line) });
  const exchange = await openExchangeServer({ clock, seed: sandboxSeed, port: 0, log });
  const folder = mkdtempSync(join(tmpdir(), "slipway-soak-"));
  const baseUrl = `http://127.0.0.1:${exchange.port}`;
  writeFileSync(
    join(folder, "slipway.json"),
    JSON.stringify({ exchanges: { kraken: { baseUrl, markets: wanted } } }),
  );
  const service = await startService({
    SLIPWAY_DATA: folder,
    SANDBOX_CHAIN: "false",
    LOG_LEVEL: "warn",
  });
  console.log(
    `${wanted.length} markets, ${minutes} minutes of the exchange at ${speed} times its pace`,
  );

  const looks: Look[] = [];
  const endsAt = systemClock.now() + (minutes * 60_000) / speed;
  let nextLookAt = systemClock.now() + lookEveryMs;
  for (let asked = 0; systemClock.now() < endsAt; asked++) {
    await ask(service.url, wanted[asked % wanted.length] ?? "BTC-USD");
    await systemClock.sleep(askEveryMs);
    if (systemClock.now() < nextLookAt) continue;
    nextLookAt += lookEveryMs;
    looks.push(await look(service.url));
    console.log(lineOf(looks, speed));
  }
  await report(service.url, looks);
  await service.stop();
  await exchange.close();
  rmSync(folder, { recursive: true });
}

/** What a dashboard asks for, and now and then something large. */
async function ask(url: string, market: string): Promise<void> {
  const paths = [
    "orders",
    "currentprice",
    "trades",
    "aggregates?timeframe=1m",
    "orders?limit=50000",
  ];
  await Promise.all(
    paths.map(async (path) => {
      const answer = await fetch(`${url}/v2/cex/kraken/${market}/${path}`, { headers: { apiKey } });
      await answer.arrayBuffer();
      if (!answer.ok) console.log(`${market} ${path}: ${answer.status}`);
    }),
  );
}

async function look(url: string): Promise<Look> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const figure = (name: string) =>
    Number(new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1] ?? Number.NaN);
  return {
    rssMiB: figure("process_resident_memory_bytes") / 2 ** 20,
    heapMiB: figure("nodejs_heap_size_used_bytes") / 2 ** 20,
    lagMs: figure("nodejs_eventloop_lag_max_seconds") * 1_000,
  };
}

function lineOf(looks: readonly Look[], speed: number): string {
  const { rssMiB, heapMiB, lagMs } = looks.at(-1) ?? { rssMiB: 0, heapMiB: 0, lagMs: 0 };
  const minute = ((looks.length * lookEveryMs) / 60_000) * speed;
  const cells = [
    `${minute.toFixed(0)} min`,
    `${rssMiB.toFixed(0)} MiB`,
    `heap ${heapMiB.toFixed(0)}`,
  ];
  return [...cells, `loop ${lagMs.toFixed(0)} ms`].map((cell) => cell.padStart(12)).join("");
}

/** The first third is warm-up; the second is compared with the last. */
async function report(url: string, looks: readonly Look[]): Promise<void> {
  const third = Math.floor(looks.length / 3);
  const rss = (part: readonly Look[]) => median(part.map(({ rssMiB }) => rssMiB));
  const [before, after] = [rss(looks.slice(third, 2 * third)), rss(looks.slice(2 * third))];
  const lag = Math.max(...looks.slice(third).map(({ lagMs }) => lagMs));
  const { cex } = (await (await fetch(`${url}/health/ready`)).json()) as { cex: unknown };
  console.log(`\n${JSON.stringify(cex)}`);
  console.log(
    `memory, last third / second third   ${(after / before).toFixed(3)}   aim: at most 1.1`,
  );
  console.log(`longest turn of the API's loop, ms  ${lag.toFixed(0)}   aim: at most 50`);
}
