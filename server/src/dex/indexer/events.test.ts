import { encodeAbiParameters, encodeEventTopics, parseAbi } from "viem";
import { describe, expect, test } from "vitest";
import type { Log } from "../../chains/chain.ts";
import type { Hex } from "../../chains/hex.ts";
import type { Dialect } from "../deployment.ts";
import { decode, factoryTopics, poolTopics } from "./events.ts";

const common = parseAbi([
  "event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)",
  "event Initialize(uint160 sqrtPrice, int24 tick)",
  "event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)",
  "event Flash(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1, uint256 paid0, uint256 paid1)",
  "event CollectProtocol(address indexed sender, address indexed recipient, uint128 amount0, uint128 amount1)",
]);
const uniswap = parseAbi([
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPrice, uint128 liquidity, int24 tick)",
  "event SetFeeProtocol(uint8 old0, uint8 old1, uint8 feeProtocol0, uint8 feeProtocol1)",
]);
const pancake = parseAbi([
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPrice, uint128 liquidity, int24 tick, uint128 protocolFees0, uint128 protocolFees1)",
  "event SetFeeProtocol(uint32 old0, uint32 old1, uint32 feeProtocol0, uint32 feeProtocol1)",
]);

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;

/** A value for each input of an event, by its name and type. */
const values: Record<string, bigint | number | Hex> = {
  token0: address("1"),
  token1: address("2"),
  fee: 3_000,
  tickSpacing: 60,
  pool: address("3"),
  sqrtPrice: 2n ** 159n + 12_345n,
  tick: -887_272,
  sender: address("a"),
  owner: address("b"),
  recipient: address("c"),
  tickLower: -60,
  tickUpper: 887_220,
  amount: 2n ** 127n,
  amount0: 10n ** 30n,
  amount1: 77n,
  liquidity: 2n ** 128n - 1n,
  paid0: 5n,
  paid1: 2n ** 200n,
  feeProtocol0: 4,
  feeProtocol1: 10,
  old0: 0,
  old1: 0,
  protocolFees0: 9n,
  protocolFees1: 8n,
};

type AbiEvent = (typeof common | typeof uniswap | typeof pancake)[number];

function logOf(event: AbiEvent, special: Record<string, bigint | number> = {}): Log {
  const all = { ...values, ...special };
  const of = ({ name }: { name?: string }) => all[name ?? ""] as never;
  const open = event.inputs.filter((input) => !("indexed" in input));
  const args = Object.fromEntries(event.inputs.map((input) => [input.name, of(input)]));
  return {
    block: 1,
    blockHash: address("0"),
    time: 1,
    transactionHash: address("0"),
    index: 0,
    address: address("f"),
    topics: encodeEventTopics({ abi: [event], args } as never) as Hex[],
    data: encodeAbiParameters(open as never, open.map(of) as never),
  };
}

const kinds: Record<AbiEvent["name"], [kind: string, ...fields: string[]]> = {
  PoolCreated: ["poolCreated", "token0", "token1", "fee", "tickSpacing", "pool"],
  Initialize: ["initialize", "sqrtPrice", "tick"],
  Mint: ["mint", "sender", "owner", "tickLower", "tickUpper", "amount", "amount0", "amount1"],
  Burn: ["burn", "owner", "tickLower", "tickUpper", "amount", "amount0", "amount1"],
  Collect: ["collect", "amount0", "amount1"],
  Flash: ["flash", "paid0", "paid1"],
  CollectProtocol: ["collectProtocol", "amount0", "amount1"],
  Swap: ["swap", "sender", "recipient", "amount0", "amount1", "sqrtPrice", "liquidity", "tick"],
  SetFeeProtocol: ["setFeeProtocol", "feeProtocol0", "feeProtocol1"],
};

const dialects = { uniswap: [...common, ...uniswap], pancake: [...common, ...pancake] };
const cases = Object.entries(dialects).flatMap(([dialect, events]) =>
  events.map((event) => [dialect as Dialect, event.name, event] as const),
);

describe("reading logs by fixed offsets agrees with a general ABI encoder", () => {
  test.each(cases)("%s %s", (dialect, name, event) => {
    const [kind, ...fields] = kinds[name];
    const expected = Object.fromEntries(fields.map((field) => [field, values[field]]));
    expect(decode(logOf(event), dialect)).toEqual({ kind, ...expected });
  });

  test("amounts paid out are negative", () => {
    const [swap] = uniswap;
    const paid = { amount0: -(2n ** 255n), amount1: -1n };
    expect(decode(logOf(swap, paid), "uniswap")).toMatchObject(paid);
  });

  test.each(["uniswap", "pancake"] as const)(
    "the topics asked for are all that %s has",
    (dialect) => {
      const all = dialects[dialect].map((event) => logOf(event).topics[0]);
      expect([...factoryTopics, ...poolTopics(dialect)].sort()).toEqual(all.sort());
    },
  );
});

describe("a log that is not whole is noticed", () => {
  const [, initialize] = common;
  const whole = logOf(initialize);

  test.each([
    ["data cut short", { data: whole.data.slice(0, -2) as Hex }],
    ["no data", { data: "0x" as const }],
    ["topics left out", { topics: [] }],
    ["a topic too many", { topics: [...whole.topics, ...whole.topics] }],
    ["an event of another exchange", { topics: logOf(pancake[0]).topics }],
  ])("%s", (_, change) => {
    expect(() => decode({ ...whole, ...change }, "uniswap")).toThrow(/is not whole/);
  });
});
