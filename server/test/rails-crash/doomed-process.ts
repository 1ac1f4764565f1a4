import { writeSync } from "node:fs";
import type { Address } from "../../src/database/address.ts";
import { openEvmNodes } from "../../src/ramp/rails/evm/open-evm-nodes.ts";
import { localRpc } from "../../src/sandbox/ramp/local-chain/local-rpc.ts";
import { movedClock, openTestDatabase } from "../ramp-crash/life.ts";
import { countPoints } from "../ramp-crash/points.ts";
import { crashChainAt } from "./customer-chain.ts";
import { live, type Place } from "./life.ts";
import { openSmallBank } from "./small-bank.ts";
import type { Plot } from "./stories.ts";

/** What a process is told that lives a story until it kills itself with SIGKILL, or to its end. */
export type Doom = {
  address: Address;
  port: number;
  finalityBlocks: number;
  folder: string;
  plot: Plot;
  startsAt: number;
  diesAt: number;
};

const doom = JSON.parse(process.argv[2] ?? "") as Doom;
const { address, port, finalityBlocks, folder, plot, startsAt, diesAt } = doom;
const points = countPoints(diesAt, () => {
  process.kill(process.pid, "SIGKILL");
  return new Promise(() => {});
});
// Whoever goes on after us has to know what time it is.
const clock = movedClock(startsAt, (at) => void writeSync(1, `${at}\n`));
const chain = crashChainAt(port, finalityBlocks);
const place: Place = {
  ...{ db: openTestDatabase(address, 2), outside: openTestDatabase(address, 1) },
  ...{ folder, bank: openSmallBank(folder) },
  ...{ chain, nodes: openEvmNodes(chain), rpc: localRpc(`http://127.0.0.1:${port}`) },
};
await live(place, points, clock, plot);
process.exit(0);
