import { benchCex } from "./cex.ts";
import { benchCexSoak } from "./cex-soak.ts";
import { benchDex } from "./dex.ts";
import { benchDexQueries } from "./dex-queries.ts";
import { benchHttp } from "./http.ts";
import { benchRails } from "./rails.ts";
import { benchRamp } from "./ramp.ts";
import { benchStream } from "./stream.ts";

/** Each benchmark and what it measures. */
const benchmarks: Record<string, { measures: string; run(args: string[]): Promise<void> }> = {
  http: {
    measures: "a small keyed endpoint through the whole edge, beside bare servers",
    run: benchHttp,
  },
  dex: {
    measures: "indexing swaps, beside the least that must be done and beside Ponder",
    run: benchDex,
  },
  "dex-queries": {
    measures: "what people ask of the index, with ten thousand trades and with a million",
    run: benchDexQueries,
  },
  cex: {
    measures:
      "live books and trades, from the exchange to the client, beside ccxt and the least there is",
    run: benchCex,
  },
  "cex-soak": {
    measures:
      "memory and the event loop over an hour of fifty live markets, at ten times their pace",
    run: benchCexSoak,
  },
  stream: {
    measures: "a live book to a thousand clients at once, beside bare servers that do the same",
    run: benchStream,
  },
  ramp: {
    measures:
      "transactions made and completed, beside the same SQL alone, and lists with a million of them",
    run: benchRamp,
  },
  rails: {
    measures: "files for the bank, payouts and deposits on a chain, beside the least there is",
    run: benchRails,
  },
};

const [name = "", ...args] = process.argv.slice(2);
const benchmark = benchmarks[name];
if (benchmark) {
  await benchmark.run(args);
} else {
  console.log("Usage: npm run bench -- <name>\n");
  for (const [known, { measures }] of Object.entries(benchmarks))
    console.log(`  ${known.padEnd(12)} ${measures}`);
  process.exitCode = 1;
}
