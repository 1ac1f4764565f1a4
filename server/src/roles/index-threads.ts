import type { Chain } from "../chains/chain.ts";
import type { Deployment } from "../dex/deployment.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Random } from "../lib/random.ts";
import { superviseThread, type Thread } from "../lib/thread.ts";

type StarterOptions = {
  /** What every worker thread has to know. */
  settings: object;
  clock: Clock;
  random: Random;
  log: Log;
};

/** The file that all worker threads run. */
export const workerFile = new URL("../worker.js", import.meta.url);

/** Starts indexes in threads of their own: one that is busy or broken holds up no other. */
export function indexStarter({ settings, clock, random, log }: StarterOptions) {
  return (chain: Chain, deployment: Deployment): Thread =>
    superviseThread({
      name: `${deployment.exchange} on ${deployment.blockchain}`,
      file: workerFile,
      workerData: { ...settings, kind: "index", chain, deployment },
      clock,
      random,
      log,
    });
}
