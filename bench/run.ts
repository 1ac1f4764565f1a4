import { benchHttp } from "./http.ts";

/** Each benchmark and what it measures. */
const benchmarks: Record<string, { measures: string; run(): Promise<void> }> = {
  http: {
    measures: "a small keyed endpoint through the whole edge, beside bare servers",
    run: benchHttp,
  },
};

const name = process.argv[2] ?? "";
const benchmark = benchmarks[name];
if (benchmark) {
  await benchmark.run();
} else {
  console.log("Usage: npm run bench -- <name>\n");
  for (const [known, { measures }] of Object.entries(benchmarks))
    console.log(`  ${known.padEnd(8)} ${measures}`);
  process.exitCode = 1;
}
