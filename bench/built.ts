import type { Address } from "../server/src/database/address.ts";
import type { Database } from "../server/src/database/database.ts";

/** A module of the server as it is shipped: what is measured is what people run, not what a loader makes of its source. */
export function built<Module>(path: string): Promise<Module> {
  return import(new URL(`../server/dist/${path}.js`, import.meta.url).href);
}

const { openDatabase } =
  await built<typeof import("../server/src/database/database.ts")>("database/database");
const { systemClock } = await built<typeof import("../server/src/lib/clock.ts")>("lib/clock");
const { systemRandom } = await built<typeof import("../server/src/lib/random.ts")>("lib/random");
const { openLog } = await built<typeof import("../server/src/lib/log.ts")>("lib/log");

/** What the parts of the server are handed. */
export const context = {
  clock: systemClock,
  random: systemRandom,
  log: openLog({ level: "warn", pretty: true, write: (line) => process.stderr.write(line) }),
};

export function openBenchDatabase(address: Address, poolSize = 4): Database {
  return openDatabase({ addresses: [address], poolSize, ...context });
}
