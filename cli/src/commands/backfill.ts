import type { CexCandle, DexHealth } from "@slipway/sdk";
import { tools } from "@slipway/server/commands";
import { type Command, InvalidArgumentError } from "commander";
import {
  openService,
  type Service,
  type ServiceOptions,
  withServiceOptions,
} from "../asked-service.ts";
import { CommandError } from "../errors.ts";
import type { Terminal } from "../terminal.ts";

const lookEveryMs = 1_000;
/** So many candles are asked for at a time: few enough that each answer comes soon. */
const candlesAtATime = 500;
/** The service asks an exchange for no more than this, whatever is wanted. */
const candlesMost = 50_000;
const timeframeMs: Record<string, number> = {
  "1m": 60_000,
  "5m": 300_000,
  "15m": 900_000,
  "1h": 3_600_000,
  "6h": 21_600_000,
  "1d": 86_400_000,
};

/** Adds the commands that see to it that history is there. */
export function addBackfillCommand(program: Command, terminal: Terminal): void {
  const backfill = program
    .command("backfill")
    .description("Fetch history: candles of exchanges; and see how far blockchains are read.");
  const cex = backfill
    .command("cex <exchange> <market>")
    .description(
      "Have the service fetch and keep a market's candles, as far as the exchange has them.",
    )
    .option("--timeframe <timeframe>", Object.keys(timeframeMs).join(", "), readTimeframe, "1h")
    .requiredOption(
      "--from <time>",
      "since when, such as 2026-01-01 or 2026-01-01T12:00Z",
      readTime,
    )
    .option("--json", "print what there is afterwards as JSON");
  withServiceOptions(cex)
    .addHelpText(
      "after",
      tools.helpEnd(
        ["slipway backfill cex kraken BTC-USD --timeframe 1h --from 2026-01-01"],
        `Newest first, ${candlesAtATime} candles at a time. What is stored already is not fetched again, so that it can be ended\n` +
          `with Ctrl-C and gone on with later. The service keeps at most the last ${candlesMost.toLocaleString("en")} candles of a timeframe from an\n` +
          "exchange. Trades cannot be asked for: they are stored from the moment somebody first wants a market, and what\n" +
          "the service missed since is fetched by itself.",
      ),
    )
    .action((exchange: string, market: string, options: CandleOptions) =>
      backfillCandles(exchange, market, options, terminal),
    );
  const dex = backfill
    .command("dex [exchange] [blockchain]")
    .description("Wait until everything that blockchains said is indexed, and show how far it is.")
    .option("--no-wait", "only say how far it is")
    .option("--json", "print JSON");
  withServiceOptions(dex)
    .addHelpText(
      "after",
      tools.helpEnd(
        ["slipway backfill dex uniswap-v3 ethereum"],
        "The service reads all blocks since the exchange's first one by itself, for all pools that are configured, and goes\n" +
          "on where it was after a stop: this command only watches. `slipway reindex` derives the figures anew.",
      ),
    )
    .action((exchange: string | undefined, blockchain: string | undefined, options: DexOptions) =>
      watchIndexes([exchange, blockchain], options, terminal),
    );
}

type CandleOptions = ServiceOptions & { timeframe: string; from: number; json?: boolean };

async function backfillCandles(
  exchange: string,
  market: string,
  { timeframe, from, json, ...options }: CandleOptions,
  terminal: Terminal,
): Promise<void> {
  const { client } = await openService(options, terminal);
  const stopped = terminal.stopped();
  const stepMs = candlesAtATime * (timeframeMs[timeframe] ?? 0);
  const end = terminal.clock.now();
  const begin = Math.max(from, end - (candlesMost / candlesAtATime) * stepMs);
  if (begin > end) throw new CommandError("--from is in the future.");
  const bar = tools.progressBar(`${market} ${timeframe}`, terminal.errors, terminal.clock);
  let count = 0;
  let oldest: CexCandle | undefined;
  for (let to = end; to >= begin && !stopped.aborted; to -= stepMs) {
    const span = { from: Math.max(begin, to - stepMs + 1), to, limit: candlesAtATime + 1 };
    const { aggregates } = await client.cex.candles(exchange, market, { timeframe, ...span });
    count += aggregates.length;
    oldest = aggregates.at(-1) ?? oldest;
    bar.show(Math.min(end - to + stepMs, end - begin), end - begin);
  }
  bar.end();
  stopped.throwIfAborted();
  const since = oldest === undefined ? null : new Date(Number(oldest.timestamp)).toISOString();
  const told = { exchange, market, timeframe, candles: count, since };
  const words = since
    ? `${count.toLocaleString("en")} candles of ${timeframe} since ${since}.`
    : `${exchange} has no candles of ${market} in this time.`;
  terminal.out.write(`${json ? JSON.stringify(told) : words}\n`);
}

type DexOptions = ServiceOptions & { wait: boolean; json?: boolean };
type Named = [name: string, health: DexHealth];

async function watchIndexes(
  wanted: (string | undefined)[],
  { wait, json, ...options }: DexOptions,
  terminal: Terminal,
): Promise<void> {
  const service = await openService(options, terminal);
  const stopped = terminal.stopped();
  const bar = tools.progressBar("blocks", terminal.errors, terminal.clock);
  let isDrawn = false;
  let indexes = await indexesOf(service, wanted);
  while (wait && !stopped.aborted && indexes.some(isBehind)) {
    const { done, total } = sumOf(indexes);
    if (total > 0) bar.show(done, total);
    isDrawn ||= total > 0;
    await terminal.clock.sleep(lookEveryMs, stopped);
    indexes = await indexesOf(service, wanted);
  }
  if (isDrawn) bar.end();
  if (json) terminal.out.write(`${JSON.stringify(Object.fromEntries(indexes), null, 2)}\n`);
  else for (const index of indexes) terminal.out.write(`${inWords(index)}\n`);
  const stalled = indexes.filter(([, { state }]) => state === "stalled");
  if (stalled.length > 0)
    throw new CommandError(`${stalled.map(([name]) => name).join(", ")} stands still.`);
}

async function indexesOf({ client }: Service, wanted: (string | undefined)[]): Promise<Named[]> {
  const all = Object.entries((await client.health()).dex ?? {});
  const [exchange, blockchain] = wanted;
  const chosen = all.filter(
    ([name]) =>
      (exchange === undefined || name.startsWith(`${exchange}/`)) &&
      (blockchain === undefined || name.endsWith(`/${blockchain}`)),
  );
  if (chosen.length > 0) return chosen;
  const there = all.map(([name]) => name.replace("/", " ")).join(", ") || "nothing";
  throw new CommandError(
    `${wanted.filter(Boolean).join(" on ") || "No exchange"} is not indexed here. There is: ${there}.`,
  );
}

/** Whether there is more to come; what stands still is not waited for. */
function isBehind([, { state }]: Named): boolean {
  return state === "catching up";
}

function sumOf(indexes: readonly Named[]): { done: number; total: number } {
  const progresses = indexes.flatMap(([, { progress }]) => (progress ? [progress] : []));
  const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
  return {
    done: sum(progresses.map(({ done }) => done)),
    total: sum(progresses.map(({ total }) => total)),
  };
}

function inWords([name, { state, reason, block, head, progress }]: Named): string {
  const where = `block ${shown(block)} of ${shown(head)}`;
  const rest = progress ? `, ${shown(progress.total - progress.done)} to go` : "";
  return `${name}: ${state}, ${where}${rest}${reason ? ` (${reason})` : ""}`;
}

function shown(count: number | null): string {
  return count === null ? "?" : count.toLocaleString("en");
}

function readTimeframe(text: string): string {
  if (text in timeframeMs) return text;
  throw new InvalidArgumentError(`It must be one of ${Object.keys(timeframeMs).join(", ")}.`);
}

function readTime(text: string): number {
  const time = Date.parse(text);
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(time)) return time;
  throw new InvalidArgumentError("It must be a time such as 2026-01-01.");
}
