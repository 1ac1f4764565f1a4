import { parseArgs } from "node:util";
import { withPostgres } from "../../../bench/postgres.ts";
import { openSimulationDatabase } from "./scene.ts";
import { simulate } from "./simulate.ts";
import { openSummary, tellFailure } from "./summary.ts";

const usage = `Usage: npm run simulate -- --seed 123            one story, told in full
       npm run simulate -- --seeds 5000 [--from 1]  many stories, and what they came to`;

const progressEvery = 100;

const { values } = parseArgs({
  options: { seed: { type: "string" }, seeds: { type: "string" }, from: { type: "string" } },
});
const [one, many, from] = [values.seed, values.seeds, values.from].map((text) =>
  text === undefined ? undefined : Number(text),
);
if (![one ?? many, from ?? 1].every(Number.isSafeInteger)) {
  console.error(usage);
  process.exit(2);
}

await withPostgres(async (postgres) => {
  const db = await openSimulationDatabase(await postgres.create("simulation"));
  try {
    if (one !== undefined) await tellOne(one);
    else await tellMany(from ?? 1, many ?? 0);
  } finally {
    await db.close();
  }

  async function tellOne(seed: number): Promise<void> {
    const ending = await simulate(db, seed);
    console.log([...ending.trace, ...ending.ends].join("\n"));
    if (ending.wrong.length > 0) fail(ending.wrong.join("\n"));
  }

  async function tellMany(first: number, count: number): Promise<void> {
    const summary = openSummary();
    for (let seed = first; seed < first + count; seed++) {
      const ending = await simulate(db, seed);
      summary.add(ending);
      if (ending.wrong.length > 0) fail(tellFailure(ending));
      const done = seed - first + 1;
      if (done % progressEvery === 0)
        console.log(`${done} of ${count} stories, ${summary.failures.length} wrong`);
    }
    console.log(summary.lines().join("\n"));
  }

  function fail(message: string): void {
    console.error(message);
    process.exitCode = 1;
  }
});
