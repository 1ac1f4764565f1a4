import type { Command } from "commander";
import type { ReindexOptions } from "../dex/indexer/reindex.ts";
import { followedChains } from "../followed-chains.ts";
import { systemClock as clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { helpEnd, print, printJson, withInstallation } from "./context.ts";
import { progressBar } from "./progress-bar.ts";

export function addReindexCommand(program: Command): void {
  program
    .command("reindex")
    .description("Derive all DEX figures anew from stored logs, without asking any node.")
    .option("--exchange <id>", "only this exchange, such as uniswap-v3")
    .option("--blockchain <id>", "only this blockchain, such as ethereum")
    .option("--json", "print JSON")
    .addHelpText("after", helpEnd(["slipway reindex --exchange uniswap-v3 --blockchain ethereum"]))
    .action((wanted: Wanted) =>
      withInstallation(async ({ db }, config) => {
        const chains = followedChains(config, []);
        const known = chains.flatMap(({ chain: { finalityBlocks }, deployments }) =>
          deployments.map((deployment) => ({ finalityBlocks, deployment })),
        );
        const done: Reindexed[] = [];
        for (const each of choose(known, wanted)) {
          const one = await reindexOne({ db, clock, ...each });
          if (!wanted.json) print(inWords(one));
          done.push(one);
        }
        if (wanted.json) printJson(done);
      }),
    );
}

type Wanted = { exchange?: string; blockchain?: string; json?: boolean };
type Reindexed = { exchange: string; blockchain: string; logs: number; seconds: number };
type Known = Pick<ReindexOptions, "deployment" | "finalityBlocks">;

function choose(known: readonly Known[], { exchange, blockchain }: Wanted): Known[] {
  const chosen = known.filter(
    ({ deployment }) =>
      (exchange === undefined || deployment.exchange === exchange) &&
      (blockchain === undefined || deployment.blockchain === blockchain),
  );
  if (chosen.length > 0) return chosen;
  const asked = [exchange, blockchain].filter((id) => id !== undefined).join(" on ");
  const there = known.map(({ deployment }) => `${deployment.exchange} on ${deployment.blockchain}`);
  throw new OperatorError(
    `${asked} is not configured. There is: ${there.join(", ") || "nothing"}.`,
  );
}

async function reindexOne(options: Omit<ReindexOptions, "progressed">): Promise<Reindexed> {
  const { exchange, blockchain } = options.deployment;
  const bar = progressBar(`${exchange} on ${blockchain}`, process.stderr, clock);
  const startedAt = clock.now();
  const { reindex } = await import("../dex/indexer/reindex.ts");
  const logs = await reindex({ ...options, progressed: bar.show });
  bar.end();
  return { exchange, blockchain, logs, seconds: (clock.now() - startedAt) / 1_000 };
}

function inWords({ exchange, blockchain, logs, seconds }: Reindexed): string {
  const title = `${exchange} on ${blockchain}`;
  if (logs === 0) return `${title}: no logs are stored yet. Start the service to fetch them.`;
  const rate = Math.round(logs / Math.max(0.001, seconds)).toLocaleString("en");
  return `${title}: ${logs.toLocaleString("en")} logs in ${seconds.toFixed(1)} s (${rate} a second).`;
}
