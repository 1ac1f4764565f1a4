import { getAddress } from "viem";
import { beforeAll, expect, test } from "vitest";
import {
  comparison,
  connect,
  newDepositAddress,
  passBlocks,
  stranger,
  useEvmWorld,
} from "../../../../test/evm-world.ts";
import { balancesOf, day, hour } from "../../../../test/ramp-world.ts";
import type { Hex } from "../../../chains/hex.ts";
import { sql } from "../../../database/sql.ts";
import { asUnits } from "../../../lib/money.ts";
import { hexSigner } from "./keys.ts";

const held = useEvmWorld();
const usdc = (whole: bigint) => whole * 10n ** 6n;
const ether = (thousandths: bigint) => thousandths * 10n ** 15n;
let lastIndex = 0;

beforeAll(async () => {
  connect(held);
  held.evm.behind = { safe: 1, finalized: 2 };
  await passBlocks(held, 1);
});

/** Sends money to a new deposit address. */
async function deposit(symbol: string, units: bigint, from: Hex = stranger): Promise<Hex> {
  const to = await newDepositAddress(held, ++lastIndex);
  held.evm.transfer({ from, to, symbol, units });
  return to;
}

const hotHas = (symbol: string) => held.evm.balance(held.context.chain.hotWallet, symbol);

function sentFor(address: Hex) {
  return held.world.db.query<{ purpose: string; state: string; units: string }>(sql`
    select purpose, state, units from chain_transactions
    where lower(address) = ${address} order by created_at, id`);
}

async function isSwept(address: Hex): Promise<boolean | undefined> {
  const [row] = await held.world.db.query<{ isSwept: boolean }>(sql`
    select bool_and(is_swept) as "isSwept" from chain_deposits where lower(address) = ${address}`);
  return row?.isSwept;
}

test("a token is given gas and then carried to the hot wallet, and the books agree after every block", async () => {
  const before = hotHas("USDC");
  const address = await deposit("USDC", usdc(100n));
  const compared = new Set<string>();
  for (let blocks = 0; blocks < 13; blocks++) {
    await passBlocks(held, 1);
    compared.add(await comparison(held));
  }
  expect([...compared]).toEqual(["holds"]);
  expect(await sentFor(address)).toMatchObject([
    { purpose: "gas", state: "final" },
    { purpose: "sweep", state: "final", units: String(usdc(100n)) },
  ]);
  expect(hotHas("USDC") - before).toBe(usdc(100n));
  expect(await isSwept(address)).toBe(true);
  const books = await balancesOf(held.world);
  expect(books["unswept:USDC.base"]).toBeUndefined();
  expect(books["unswept:ETH.base"]).toBe(-held.evm.balance(address, "ETH"));
});

test("the chain's own coin is carried away but for what that may cost; the books know what is left", async () => {
  const before = hotHas("ETH");
  const rest = (await balancesOf(held.world))["unswept:ETH.base"] ?? 0n;
  const address = await deposit("ETH", ether(50n));
  await passBlocks(held, 8);
  const [sweep] = await sentFor(address);
  expect(sweep).toMatchObject({ purpose: "sweep", state: "final" });
  expect(hotHas("ETH") - before).toBe(BigInt(sweep?.units ?? 0));
  const left = held.evm.balance(address, "ETH");
  expect(left).toBeGreaterThan(0n);
  expect(left).toBeLessThan(ether(1n));
  expect((await balancesOf(held.world))["unswept:ETH.base"]).toBe(rest - left);
  expect(await comparison(held)).toBe("holds");
});

test("both at one address are carried away, the token without spending the coin that was deposited", async () => {
  const address = await deposit("USDC", usdc(500n));
  held.evm.transfer({ from: stranger, to: address, symbol: "ETH", units: ether(50n) });
  await passBlocks(held, 20);
  const sent = await sentFor(address);
  expect(sent.map(({ purpose }) => purpose)).toEqual(["gas", "sweep", "sweep"]);
  expect(sent.map(({ state }) => state)).toEqual(["final", "final", "final"]);
  expect(await isSwept(address)).toBe(true);
  expect(await comparison(held)).toBe("holds");
});

test("coin that was only seen pays for nothing, so nothing is stuck when it is gone", async () => {
  const address = await deposit("USDC", usdc(100n));
  await passBlocks(held, 2);
  const coin = held.evm.transfer({ from: stranger, to: address, symbol: "ETH", units: ether(50n) });
  await passBlocks(held, 2);
  expect(await sentFor(address)).toMatchObject([{ purpose: "gas" }]);
  held.evm.reorganise(2, (hash) => hash !== coin);
  await passBlocks(held, 12);
  expect((await sentFor(address)).map(({ purpose }) => purpose)).toEqual(["gas", "sweep"]);
  expect(held.evm.balance(address, "USDC")).toBe(0n);
  expect(await comparison(held)).toBe("holds");
});

test("what is frozen stays where it is", async () => {
  const villain: Hex = `0x${"6".repeat(40)}`;
  held.world.ports.sanctioned?.add(getAddress(villain));
  const address = await deposit("USDC", usdc(100n), villain);
  await passBlocks(held, 8);
  expect(await sentFor(address)).toEqual([]);
  expect(held.evm.balance(address, "USDC")).toBe(usdc(100n));
  expect(await comparison(held)).toBe("holds");
});

test("what costs more than a third of its worth is left, and looked at again the next day", async () => {
  const address = await deposit("USDC", usdc(2n));
  await passBlocks(held, 4);
  expect(await sentFor(address)).toEqual([]);
  held.evm.baseFee = 10n ** 7n;
  await passBlocks(held, 2);
  expect(await sentFor(address)).toEqual([]);
  held.world.clock.advance(day);
  await passBlocks(held, 11);
  held.evm.baseFee = 10n ** 9n;
  expect(await isSwept(address)).toBe(true);
  expect(await comparison(held)).toBe("holds");
});

test("a sweep that fails is said, paid for, and tried again after an hour", async () => {
  const address = await deposit("USDC", usdc(100n));
  const sweeps = async () => (await sentFor(address)).filter(({ purpose }) => purpose === "sweep");
  while ((await sweeps()).length === 0) await passBlocks(held, 1);
  // The token's contract takes the money away for a while.
  held.evm.give(address, "USDC", -usdc(100n));
  held.evm.reorganise(1);
  await passBlocks(held, 5);
  expect(await sweeps()).toMatchObject([{ state: "failed" }]);
  expect(held.world.lines.join()).toContain("could not be carried to the hot wallet");
  held.evm.give(address, "USDC", usdc(100n));
  await passBlocks(held, 4);
  expect(await sweeps()).toHaveLength(1);
  expect(await comparison(held)).toBe("holds");
  held.world.clock.advance(hour);
  await passBlocks(held, 11);
  expect(await sweeps()).toMatchObject([{ state: "failed" }, { state: "final" }]);
  expect(await isSwept(address)).toBe(true);
  expect(await comparison(held)).toBe("holds");
});

test("gas is not sent when the hot wallet has none to spare, nor anything while payouts are switched off", async () => {
  const { context, world } = held;
  const { chain } = context;
  const floor = asUnits(10n ** 21n);
  const limits = { ETH: { floor, perPayout: undefined, perDay: undefined } };
  context.chain = { ...chain, limits };
  const address = await deposit("USDC", usdc(100n));
  await passBlocks(held, 4);
  expect(await sentFor(address)).toEqual([]);
  expect(world.lines.join()).toContain("too little ETH to send gas");
  context.chain = chain;
  await world.db.query(sql`
    insert into kill_switches (name, reason, set_by, set_at)
    values ('blockchain:base', 'a test', 'key-1', ${new Date(world.clock.now())})`);
  world.clock.advance(hour);
  await passBlocks(held, 2);
  expect(await sentFor(address)).toEqual([]);
  await world.db.query(sql`delete from kill_switches`);
  await passBlocks(held, 11);
  expect(await isSwept(address)).toBe(true);
});

test("nothing is carried away with a key that belongs to another address", async () => {
  const { context, world } = held;
  const right = context.keys;
  const wrong = hexSigner(`0x${"1".repeat(64)}`);
  context.keys = { hot: wrong, deposit: () => wrong };
  const address = await deposit("USDC", usdc(100n));
  await passBlocks(held, 4);
  expect(await sentFor(address)).toEqual([]);
  expect(world.lines.join()).toContain("is not that of");
  context.keys = right;
  world.clock.advance(hour);
  await passBlocks(held, 11);
  expect(await isSwept(address)).toBe(true);
});
