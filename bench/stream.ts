import { parseArgs } from "node:util";
import type { ApiAnswer, ApiOrders } from "./cex/api-process.ts";
import { withPostgres } from "./postgres.ts";
import { startProcess } from "./process.ts";
import type { BareAnswer, BareOrders } from "./stream/bare-process.ts";
import type { ClientAnswer, ClientOrders } from "./stream/client-process.ts";

const changesPerSecond = 50;
/** How often we tell what has changed. */
const bundlesPerSecond = 10;
const levels = 1_000;
/** Clients that do not read what they asked for. */
const stopped = 50;
const channel = "cex.book:kraken:BTC-USD";

type Usage = { rss: number; cpuSeconds: number };
type Outcome = ClientAnswer & {
  name: string;
  /** The server's memory before anybody listens, in the middle, and at the end. */
  memory: [start: number, middle: number, end: number];
  /** Of one core. */
  cpuShare: number;
  perSecond: number;
};

type Load = { name: string; url: string; usage(): Promise<Usage> } & Pick<
  ClientOrders,
  "transport" | "readers" | "stopped" | "seconds"
>;

/** One live book to many clients, from processes of their own: how far behind they are, and what it takes. */
export async function benchStream(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      clients: { type: "string", default: "1000" },
      seconds: { type: "string", default: "20" },
    },
  });
  const [readers, seconds] = [Number(values.clients), Number(values.seconds)];
  const each = { readers, seconds };
  await withPostgres(async (postgres) => {
    const database = await postgres.create("bench_stream");
    const asked: ApiOrders = { database, levels, changesPerSecond, stamps: 100 };
    const ours = await startProcess<ApiAnswer>("./cex/api-process.ts", asked);
    const { url } = ours.answer;
    const usage = () => usageOfOurs(url);
    console.log(
      `A book of ${levels} levels a side changes ${changesPerSecond} times a second; ${readers} clients, ${seconds} s.`,
    );
    const path = `/v2/stream?channels=${channel}`;
    const sse = { url: url + path, usage, transport: "sse" } as const;
    const outcomes = [
      await load({ name: "slipway, SSE", ...sse, ...each, stopped: 0 }),
      await load({
        ...{ name: "slipway, SSE, 50 stopped", ...sse, ...each },
        ...{ readers: readers - stopped, stopped },
      }),
      await load({
        ...{ name: "slipway, WebSocket", url: `${url}/v2/ws?channels=${channel}`, usage },
        ...{ transport: "websocket", ...each, stopped: 0 },
      }),
    ];
    await ours.stop();
    const [first] = outcomes;
    const bytesEach = Math.round((first?.bytes ?? 0) / (first?.messages || 1));
    outcomes.unshift(await loadBare("node:http, the floor", { kind: "floor", bytesEach }, each));
    outcomes.push(await loadBare("ws, JSON per client", { kind: "ws", bytesEach: 90 }, each));
    report(outcomes);
  });
}

async function loadBare(
  name: string,
  orders: Omit<BareOrders, "messagesPerSecond">,
  each: Pick<Load, "readers" | "seconds">,
): Promise<Outcome> {
  const isFloor = orders.kind === "floor";
  const messagesPerSecond = isFloor ? bundlesPerSecond : changesPerSecond;
  const bare = await startProcess<BareAnswer>("./stream/bare-process.ts", {
    ...{ ...orders, messagesPerSecond },
  });
  const { url } = bare.answer;
  const usage = async () => (await (await fetch(`${url}/usage`)).json()) as Usage;
  const transport = isFloor ? "sse" : "websocket";
  const outcome = await load({ name, url, usage, transport, ...each, stopped: 0 });
  await bare.stop();
  return outcome;
}

async function load({ name, usage, ...orders }: Load): Promise<Outcome> {
  const { seconds } = orders;
  const start = await usage();
  let done = false;
  const client = startProcess<ClientAnswer>("./stream/client-process.ts", orders);
  const samples: (Usage & { at: number })[] = [];
  const sampling = (async () => {
    while (!done) {
      samples.push({ ...(await usage()), at: performance.now() });
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  })();
  const { answer, stop } = await client;
  done = true;
  await sampling;
  const end = samples.at(-1) ?? { ...start, at: 0 };
  const since = samples.find(({ at }) => at >= end.at - seconds * 900) ?? end;
  const middle = samples[Math.floor((samples.indexOf(since) + samples.length) / 2)] ?? end;
  const cpuShare =
    (end.cpuSeconds - since.cpuSeconds) / Math.max(0.001, (end.at - since.at) / 1_000);
  await stop();
  const memory: Outcome["memory"] = [start.rss, middle.rss, end.rss];
  return { name, ...answer, memory, cpuShare, perSecond: answer.messages / seconds };
}

/** What Prometheus would see. */
async function usageOfOurs(url: string): Promise<Usage> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1]);
  const rss = figure("process_resident_memory_bytes");
  return { rss, cpuSeconds: figure("process_cpu_seconds_total") };
}

function report(outcomes: readonly Outcome[]): void {
  const [floor] = outcomes;
  console.log(
    `\n${row("server", "p50 ms", "p99 ms", "most ms", "messages/s", "core", "MiB before", "middle", "end", "µs each", "/ floor")}`,
  );
  const costOf = ({ cpuShare, perSecond }: Outcome) => (1e6 * cpuShare) / perSecond;
  for (const outcome of outcomes) {
    const { name, p50, p99, most, perSecond, cpuShare, memory } = outcome;
    const cost = costOf(outcome);
    const ofFloor = floor ? cost / costOf(floor) : 1;
    console.log(
      row(
        name,
        ...[p50, p99, most, perSecond].map((figure) => figure.toFixed(0)),
        cpuShare.toFixed(2),
        ...memory.map((bytes) => (bytes / 2 ** 20).toFixed(0)),
        cost.toFixed(1),
        ofFloor.toFixed(1),
      ),
    );
  }
}

function row(name: string, ...cells: string[]): string {
  return name.padEnd(26) + cells.map((cell) => cell.padStart(11)).join("");
}
