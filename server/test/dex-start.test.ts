import { Slipway } from "@slipway/sdk";
import { expect, test } from "vitest";
import { sandboxDeployment } from "../src/sandbox/chain/sandbox-deployment.ts";
import { slipway, startService } from "./test-service.ts";

const place = ["uniswap-v3", "ethereum"] as const;

test("a first start fills every DEX endpoint, follows the chain, and can derive everything anew", async () => {
  const service = await startService({ env: { SANDBOX_CHAIN: "true" } });
  const { dex, health } = clientOf(service.url);
  const pool = sandboxDeployment.stablePool;
  const token = sandboxDeployment.wrappedNative;
  const filled = async (list: () => Promise<{ length: number }>) =>
    expect
      .poll(async () => (await list().catch(() => [])).length, { timeout: 60_000 })
      .toBeGreaterThan(0);

  expect(await dex.exchanges()).toEqual([
    {
      id: "uniswap-v3",
      name: "Uniswap v3",
      blockchains: [{ id: "ethereum", name: "Ethereum (sandbox)" }],
    },
  ]);
  await filled(() => dex.tokens(...place));
  await filled(() => dex.pools(...place));
  await filled(async () => (await dex.bars(...place, pool, { timeframe: "hour" })).poolAggregates);
  await filled(async () => (await dex.trades(...place, pool)).swaps ?? []);
  await filled(() => dex.blocks("ethereum"));
  expect((await dex.token(...place, token)).symbol).toBe("WETH");
  expect(await dex.blockchainsWithBlocks()).toEqual([
    { id: "ethereum", name: "Ethereum (sandbox)" },
  ]);

  const before = (await health()).dex?.["uniswap-v3/ethereum"]?.block ?? 0;
  const blockNow = async () => (await health()).dex?.["uniswap-v3/ethereum"]?.block ?? 0;
  await expect.poll(blockNow, { timeout: 60_000 }).toBeGreaterThan(before);

  const at = await blockNow();
  const then = await dex.token(...place, token, { block: at });
  const env = { SLIPWAY_DATA: service.dataFolder };
  const { code, output } = await slipway(["reindex"], { env });
  expect(output).toMatch(/uniswap-v3 on ethereum: [\d,]+ logs in [\d.]+ s/);
  expect(code).toBe(0);
  await expect
    .poll(() => dex.token(...place, token, { block: at }).catch(() => undefined), {
      timeout: 60_000,
    })
    .toEqual(then);
  expect((await slipway(["reindex", "--exchange", "uniswap"], { env })).output).toContain(
    "uniswap is not configured. There is: uniswap-v3 on ethereum.",
  );
  await service.stop();
}, 180_000);

function clientOf(url: string) {
  const client = new Slipway({ baseUrl: url, apiKey: "slp_sandbox_master" });
  return { dex: client.dex, health: () => client.health() };
}
