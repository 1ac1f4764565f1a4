import { writeSync } from "node:fs";
import type { Address } from "../../src/database/address.ts";
import { live, movedClock, openTestDatabase } from "./life.ts";
import { countPoints } from "./points.ts";
import type { Plot } from "./stories.ts";

/** What a process is told that lives a story until it kills itself with SIGKILL, or to its end. */
export type Doom = { address: Address; plot: Plot; startsAt: number; diesAt: number };

const { address, plot, startsAt, diesAt } = JSON.parse(process.argv[2] ?? "") as Doom;
const points = countPoints(diesAt, () => {
  process.kill(process.pid, "SIGKILL");
  return new Promise(() => {});
});
// Whoever goes on after us has to know what time it is.
const clock = movedClock(startsAt, (at) => void writeSync(1, `${at}\n`));
await live(
  { db: openTestDatabase(address, 2), outside: openTestDatabase(address, 1) },
  points,
  clock,
  plot,
);
process.exit(0);
