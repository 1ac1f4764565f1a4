import { encodeFunctionData, erc20Abi, numberToHex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dollar, ether, mine, openQuietChain, rampChainAt } from "../../../../test/evm-scene.ts";
import { comparison, connect, keys, runnersOf } from "../../../../test/evm-world.ts";
import { balancesOf, createSale, useWorld } from "../../../../test/ramp-world.ts";
import type { Hex } from "../../../chains/hex.ts";
import { sql } from "../../../database/sql.ts";
import { contracts, tokens, traders } from "../../../sandbox/chain/layout.ts";
import type { OpenSandboxChain } from "../../../sandbox/chain/open-sandbox-chain.ts";
import { ledgerAccounts } from "../../ledger/accounts.ts";
import { bookOpening } from "../../ledger/book.ts";
import { evmDepositAddress } from "./deposit-addresses.ts";
import type { DepositContext } from "./deposit-watch.ts";
import { hexSigner } from "./keys.ts";
import { openEvmNodes } from "./open-evm-nodes.ts";

const world = useWorld();
let chain: OpenSandboxChain;
let context: DepositContext;

beforeAll(async () => {
  chain = await openQuietChain();
  const { db, clock } = world;
  const { random, sealer, log } = world.context;
  const rampChain = rampChainAt(chain.url);
  const hot = hexSigner(traders[0]?.key ?? "0x");
  context = {
    ...{ db, clock, random, sealer, log, chain: rampChain, nodes: openEvmNodes(rampChain) },
    ...{ keys: { ...keys, hot }, blockTime: () => clock.now(), worthCents: () => undefined },
  };
  await db.transact(async (tx) => {
    for (const token of rampChain.tokens) {
      const has = await context.nodes.balance(hot.address, token, "latest");
      const account = ledgerAccounts.hot({ ...token, blockchain: "ethereum" });
      await bookOpening(tx, account, has, `opening of ${account}`, new Date(clock.now()));
    }
  });
  connect({ world, context });
  await passBlock();
});
afterAll(async () => {
  await context.nodes.close();
  await chain.close();
});

async function passBlock(): Promise<void> {
  await mine({ chain }, 1);
  world.clock.advance(61_000);
  for (const runner of runnersOf({ world, context })) await runner.run();
}

async function newSale(index: number, symbol: string, decimals: number): Promise<Hex> {
  const depositAddress = evmDepositAddress(context.chain.depositKey, index);
  const token = { symbol, blockchain: "ethereum", decimals };
  await createSale(world, { depositAddress, depositIndex: index, token });
  return depositAddress as Hex;
}

const sender = traders[1]?.address;

async function send(contract: Hex | undefined, to: Hex, units: bigint): Promise<void> {
  const data = encodeFunctionData({
    ...{ abi: erc20Abi, functionName: "transfer", args: [to, units] },
  });
  const call = contract ? { to: contract, data } : { to, value: numberToHex(units) };
  await chain.request("eth_sendTransaction", [{ from: sender, ...call }]);
}

const states = () =>
  world.db.query<{ currency: string; state: string; isSwept: boolean; units: string }>(sql`
    select currency, state, is_swept as "isSwept", units from chain_deposits order by units`);

test("tokens and coins come to a real chain's addresses, are swept, and the books agree to the last unit", async () => {
  const hotBefore = await context.nodes.balance(context.chain.hotWallet, dollar, "latest");
  const first = await newSale(1, "USDC", 6);
  const second = await newSale(2, "ETH", 18);
  await send(dollar.contract, first, 100_000_001n);
  await send(undefined, second, 10n ** 17n + 7n);
  // A token that we do not deal in, whatever it calls itself.
  const fake = tokens.find(({ symbol }) => symbol === "USDT")?.address ?? contracts.wrappedEther;
  await send(fake, first, 5n);
  const compared = new Set<string>();
  for (let blocks = 0; blocks < 16; blocks++) {
    await passBlock();
    compared.add(await comparison({ world }));
  }
  expect([...compared]).toEqual(["holds"]);
  expect(await states()).toEqual([
    { currency: "USDC", state: "final", isSwept: true, units: "100000001" },
    { currency: "ETH", state: "final", isSwept: true, units: "100000000000000007" },
  ]);
  const hotAfter = await context.nodes.balance(context.chain.hotWallet, dollar, "latest");
  expect(hotAfter - hotBefore).toBe(100_000_001n);
  const books = await balancesOf(world);
  expect(books["unswept:USDC.ethereum"]).toBeUndefined();
  const left = await Promise.all(
    [first, second].map((address) => context.nodes.balance(address, ether, "latest")),
  );
  expect(books["unswept:ETH.ethereum"]).toBe(-left.reduce((sum, units) => sum + units, 0n));
});

test("what a real chain takes back is gone", async () => {
  const address = await newSale(3, "USDC", 6);
  const snapshot = await chain.request<Hex>("evm_snapshot");
  await send(dollar.contract, address, 9n);
  await passBlock();
  expect((await states())[0]).toMatchObject({ units: "9", state: "seen" });
  await chain.request("evm_revert", [snapshot]);
  for (let blocks = 0; blocks < 3; blocks++) await passBlock();
  expect((await states())[0]).toMatchObject({ units: "9", state: "gone" });
  expect(await comparison({ world })).toBe("holds");
});
