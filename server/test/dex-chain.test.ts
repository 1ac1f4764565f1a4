import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Log, Nodes } from "../src/chains/chain.ts";
import type { Hex } from "../src/chains/hex.ts";
import { openNodes } from "../src/chains/nodes.ts";
import { sql } from "../src/database/sql.ts";
import { endBlock, noChanges } from "../src/dex/indexer/changes.ts";
import { decode } from "../src/dex/indexer/events.ts";
import { fetchLogs } from "../src/dex/indexer/fetch.ts";
import { runIndexer } from "../src/dex/indexer/indexer.ts";
import { applyEvent } from "../src/dex/indexer/reducer.ts";
import { emptyState, type Pool, rulesOf, type State } from "../src/dex/indexer/state.ts";
import { openTokenBook } from "../src/dex/indexer/token-book.ts";
import { systemClock } from "../src/lib/clock.ts";
import { Decimal } from "../src/lib/decimal34.ts";
import { systemRandom } from "../src/lib/random.ts";
import {
  type OpenSandboxChain,
  openSandboxChain,
} from "../src/sandbox/chain/open-sandbox-chain.ts";
import { silentLog } from "./silent-log.ts";
import { useDatabase } from "./test-database.ts";

const abi = parseAbi([
  "function slot0() view returns (uint160 sqrtPrice, int24 tick, uint16, uint16, uint16, uint8, bool)",
  "function liquidity() view returns (uint128)",
  "function feeGrowthGlobal0X128() view returns (uint256)",
  "function feeGrowthGlobal1X128() view returns (uint256)",
  "function protocolFees() view returns (uint128 token0, uint128 token1)",
  "function balanceOf(address) view returns (uint256)",
]);
type Question = "liquidity" | "feeGrowthGlobal0X128" | "feeGrowthGlobal1X128";

const samples = 10;
const context = { clock: systemClock, random: systemRandom, log: silentLog };
const held = useDatabase();
const stopping = new AbortController();
let sandbox: OpenSandboxChain;
let nodes: Nodes;
let logs: Log[];
let head: number;

beforeAll(async () => {
  const history = { days: 14, swaps: 250 };
  sandbox = await openSandboxChain({
    ...context,
    warn: (message) => expect.unreachable(message),
    seed: 7,
    history,
    live: false,
    port: 0,
  });
  await sandbox.seeded;
  nodes = await openNodes({ ...context, chain: sandbox.chain });
  head = (await nodes.head()).number;
  const watch = { deployment: sandbox.deployment, pools: new Set<Hex>() };
  const span = { from: sandbox.deployment.startBlock, to: head };
  logs = [];
  for await (const range of fetchLogs(nodes, watch, span, stopping.signal))
    logs.push(...range.logs);
}, 120_000);

afterAll(async () => {
  stopping.abort();
  await nodes.close();
  await sandbox.close();
});

async function ask(to: Hex, data: Hex, block: number): Promise<Hex> {
  return sandbox.request<Hex>("eth_call", [{ to, data }, `0x${block.toString(16)}`]);
}

async function askPool(pool: Hex, question: Question, block: number): Promise<bigint> {
  return BigInt(await ask(pool, encodeFunctionData({ abi, functionName: question }), block));
}

async function slot0(pool: Hex, block: number) {
  const data = await ask(pool, encodeFunctionData({ abi, functionName: "slot0" }), block);
  return decodeFunctionResult({ abi, functionName: "slot0", data });
}

async function protocolFees(pool: Hex, block: number) {
  const data = await ask(pool, encodeFunctionData({ abi, functionName: "protocolFees" }), block);
  return decodeFunctionResult({ abi, functionName: "protocolFees", data });
}

async function balance(token: Hex, holder: Hex, block: number): Promise<bigint> {
  const data = encodeFunctionData({ abi, functionName: "balanceOf", args: [holder] });
  return BigInt(await ask(token, data, block));
}

/** What the contracts say about a pool, in the form of our state. */
async function poolOnChain({ address, token0, token1 }: Pool, block: number) {
  const [sqrtPrice, tick] = await slot0(address, block);
  const [owed0, owed1] = await protocolFees(address, block);
  const held0 = (await balance(token0.address, address, block)) - owed0;
  const held1 = (await balance(token1.address, address, block)) - owed1;
  return {
    sqrtPrice,
    tick,
    liquidity: await askPool(address, "liquidity", block),
    feeGrowth0: await askPool(address, "feeGrowthGlobal0X128", block),
    feeGrowth1: await askPool(address, "feeGrowthGlobal1X128", block),
    protocolOwed0: owed0,
    protocolOwed1: owed1,
    totalValueLocked0: Decimal.fromUnits(held0, token0.decimals).toString(),
    totalValueLocked1: Decimal.fromUnits(held1, token1.decimals).toString(),
  };
}

function poolInState(pool: Pool) {
  const { sqrtPrice, tick, liquidity, feeGrowth0, feeGrowth1 } = pool;
  const { protocolOwed0, protocolOwed1, totalValueLocked0, totalValueLocked1 } = pool;
  return {
    sqrtPrice,
    tick: tick ?? 0,
    liquidity,
    feeGrowth0,
    feeGrowth1,
    protocolOwed0,
    protocolOwed1,
    totalValueLocked0: totalValueLocked0.toString(),
    totalValueLocked1: totalValueLocked1.toString(),
  };
}

/** Folds the chain's logs, and stops at some blocks to look around. */
async function replay(
  blocks: readonly number[],
  look: (state: State, block: number) => Promise<void>,
) {
  const state = emptyState(rulesOf(sandbox.deployment));
  const { blockchain, tokenOverrides: overrides } = sandbox.deployment;
  const book = openTokenBook({ db: held.db, nodes, blockchain, overrides });
  const changes = noChanges();
  let next = 0;
  for (const block of blocks) {
    for (let log = logs[next]; log && log.block <= block; log = logs[++next]) {
      const event = decode(log, "uniswap");
      if (event.kind === "poolCreated") await book.learn([event.token0, event.token1], log.block);
      applyEvent(state, changes, log, event, book.entries);
      if (logs[next + 1]?.block !== log.block) endBlock(changes, log.block);
    }
    await look(state, block);
  }
}

describe("figures derived from events equal what the contracts say", () => {
  const sampleBlocks = () =>
    Array.from({ length: samples }, (_, index) => Math.round(((index + 1) * head) / samples));

  test("for every pool at ten blocks: price, tick, liquidity, fee growth, protocol fees, balances", async () => {
    let compared = 0;
    await replay(sampleBlocks(), async ({ pools }, block) => {
      for (const pool of pools.values()) {
        expect(poolInState(pool), `${pool.address} at ${block}`).toEqual(
          await poolOnChain(pool, block),
        );
        compared++;
      }
    });
    expect(compared).toBeGreaterThan(4 * samples - 4);
  });

  test("the history is worth comparing: every kind of event is in it, and protocol fees are owed", async () => {
    const kinds = new Set(logs.map((log) => decode(log, "uniswap").kind));
    expect([...kinds].sort()).toEqual([
      "burn",
      "collect",
      "collectProtocol",
      "flash",
      "initialize",
      "mint",
      "poolCreated",
      "setFeeProtocol",
      "swap",
    ]);
    await replay([head], async ({ pools, tokens }) => {
      expect(pools.size).toBeGreaterThanOrEqual(4);
      expect(new Set([...pools.values()].map(({ fee }) => fee)).size).toBeGreaterThan(2);
      const decimals = [...tokens.values()].map((token) => token.decimals);
      expect(decimals).toEqual(expect.arrayContaining([6, 8, 18]));
      expect([...pools.values()].some(({ protocolOwed0 }) => protocolOwed0 > 0n)).toBe(true);
    });
  });

  test("in the tables: a token's value locked at a block is what its pools held, less what the protocol is owed", async () => {
    const indexed = new AbortController();
    await runIndexer({
      ...context,
      db: held.db,
      nodes,
      chain: sandbox.chain,
      deployment: sandbox.deployment,
      announce: (status) => status.indexed?.block === head && indexed.abort(),
      signal: indexed.signal,
    });
    await replay(sampleBlocks(), async ({ pools, tokens }, block) => {
      for (const token of tokens.values()) {
        const mine = [...pools.values()].filter(({ token0, token1 }) =>
          [token0, token1].includes(token),
        );
        let locked = Decimal.zero;
        for (const pool of mine) {
          const onChain = await poolOnChain(pool, block);
          locked = locked.plus(
            Decimal.parse(
              pool.token0 === token ? onChain.totalValueLocked0 : onChain.totalValueLocked1,
            ),
          );
        }
        const [row] = await held.db.query<{ locked: string }>(sql`
          select version.total_value_locked as locked
          from dex_token_versions version
          join dex_tokens using (deployment, token)
          where address = ${Buffer.from(token.address.slice(2), "hex")} and block <= ${block}
          order by block desc limit 1`);
        expect(row?.locked, `${token.symbol} at ${block}`).toBe(locked.toString());
      }
    });
  });
});
