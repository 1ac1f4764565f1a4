import { afterEach, beforeAll, expect, test } from "vitest";
import {
  comparison,
  connect,
  newDepositAddress,
  passBlocks,
  stranger,
  useEvmWorld,
} from "../../../../test/evm-world.ts";
import { hour } from "../../../../test/ramp-world.ts";
import type { Hex } from "../../../chains/hex.ts";
import { sql } from "../../../database/sql.ts";
import { sweeper } from "./sweeps.ts";

const held = useEvmWorld();
const gwei = 10n ** 9n;
const usdc = (whole: bigint) => whole * 10n ** 6n;
const ether = (thousandths: bigint) => thousandths * 10n ** 15n;
let lastIndex = 0;

beforeAll(async () => {
  connect(held);
  held.evm.behind = { safe: 1, finalized: 2 };
  await passBlocks(held, 1);
});

afterEach(async () => {
  held.evm.baseFee = gwei;
  expect(await comparison(held)).toBe("holds");
});

/** Sends money to a new deposit address, and lets fees rise twentyfold when its sweep is planned and not signed. */
async function plannedBeforeRise(symbol: string, units: bigint): Promise<Hex> {
  const to = await newDepositAddress(held, ++lastIndex);
  held.evm.transfer({ from: stranger, to, symbol, units });
  while (!(await sentFor(to)).includes("sweep reserved")) await passBlocks(held, 1);
  held.evm.baseFee = 20n * gwei;
  return to;
}

async function sentFor(address: Hex): Promise<string[]> {
  const rows = await held.world.db.query<{ purpose: string; state: string }>(sql`
    select purpose, state from chain_transactions
    where lower(address) = ${address} order by created_at, id`);
  return rows.map(({ purpose, state }) => `${purpose} ${state}`);
}

test.each([
  ["USDC", usdc(500n), ["gas final"]],
  ["ETH", ether(500n), []],
] as const)(
  "a sweep of %s that fees overtake offers what its address has, and is made when they fall",
  async (symbol, units, before) => {
    const address = await plannedBeforeRise(symbol, units);
    await passBlocks(held, 8);
    expect(await sentFor(address)).toEqual([...before, "sweep signed"]);
    held.evm.baseFee = gwei;
    await passBlocks(held, 5);
    expect(await sentFor(address)).toEqual([...before, "sweep final"]);
  },
);

test.each([
  ["USDC", usdc(500n), ["gas final"]],
  ["ETH", ether(500n), []],
] as const)(
  "one of %s is sent more gas when fees have not fallen after an hour",
  async (symbol, units, before) => {
    const address = await plannedBeforeRise(symbol, units);
    await passBlocks(held, 8);
    held.world.clock.advance(hour);
    await passBlocks(held, 12);
    expect(await sentFor(address)).toEqual([...before, "sweep final", "gas final"]);
  },
);

test("gas is sent once, whoever else looks at the same sweep", async () => {
  const address = await plannedBeforeRise("USDC", usdc(500n));
  await passBlocks(held, 4);
  held.world.clock.advance(hour);
  const { context } = held;
  await Promise.all([sweeper(context).run(), sweeper(context).run(), sweeper(context).run()]);
  expect(await sentFor(address)).toEqual(["gas final", "sweep signed", "gas reserved"]);
  await passBlocks(held, 12);
  expect(await sentFor(address)).toEqual(["gas final", "sweep final", "gas final"]);
});

test("gas is sent when all that lies at the address is worth it together", async () => {
  const address = await plannedBeforeRise("USDC", usdc(20n));
  await passBlocks(held, 4);
  held.world.clock.advance(hour);
  await passBlocks(held, 4);
  expect(await sentFor(address)).toEqual(["gas final", "sweep signed"]);
  held.evm.transfer({ from: stranger, to: address, symbol: "USDC", units: usdc(500n) });
  await passBlocks(held, 4);
  held.world.clock.advance(hour);
  await passBlocks(held, 12);
  const [, ...after] = await sentFor(address);
  expect(after.slice(0, 2)).toEqual(["sweep final", "gas final"]);
});

test("gas is not sent to carry away what is not there", async () => {
  const address = await plannedBeforeRise("ETH", ether(500n));
  held.evm.give(address, "ETH", -ether(100n));
  await passBlocks(held, 4);
  held.world.clock.advance(hour);
  await passBlocks(held, 4);
  expect(await sentFor(address)).toEqual(["sweep signed"]);
  expect(held.world.lines.join()).toContain("has less than is to be carried away");
  held.evm.give(address, "ETH", ether(100n));
  held.evm.baseFee = gwei;
  await passBlocks(held, 8);
  expect(await sentFor(address)).toEqual(["sweep final"]);
});
