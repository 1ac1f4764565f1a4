import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { HDKey } from "@scure/bip32";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fakeChain } from "../../../test/fake-chain.ts";
import { type FakeNode, startFakeNode } from "../../../test/fake-node.ts";
import { temporaryFolder } from "../../../test/test-service.ts";
import type { Hex } from "../../chains/hex.ts";
import { hexSigner } from "../../ramp/rails/evm/keys.ts";
import { rampChainFindings } from "./ramp-chain.ts";

const hotKey: Hex = `0x${"11".repeat(32)}`;
const wallet = HDKey.fromMasterSeed(Buffer.alloc(32, 7));
const otherWallet = HDKey.fromMasterSeed(Buffer.alloc(32, 8));
const sweep = wallet.privateExtendedKey ?? "";

const chain = fakeChain();
let node: FakeNode;
beforeAll(async () => {
  chain.append({});
  node = await startFakeNode({ chain });
});
afterAll(() => node.close());

type Options = Parameters<typeof rampChainFindings>[0];

function look(
  settings: Partial<Options["settings"]> = {},
  keys: Options["keys"] = { hotWallet: hotKey, sweep },
) {
  return rampChainFindings({
    blockchain: "ethereum",
    settings: {
      ...{ rpcUrls: [node.url], agreeing: 1, finality: "finalized", smallBelowUsd: 0, limits: {} },
      ...{ depositKey: wallet.publicExtendedKey, hotWallet: hexSigner(hotKey).address },
      ...settings,
    },
    keys,
    now: chain.head().time * 1_000,
  });
}

describe("a chain on which money moves", () => {
  test("is well with nodes, the wallet's key and the keys of its deposit addresses", async () => {
    expect((await look()).map(({ state }) => state)).toEqual(["ok", "ok", "ok"]);
  });

  test("that asks more nodes to agree than it has is said to be so", async () => {
    expect(await look({ agreeing: 2 })).toMatchObject([
      { state: "broken", what: expect.stringContaining("agreeing says: 2") },
    ]);
  });

  test.each<[string, Partial<Options["settings"]>, Options["keys"], "warning" | "broken", RegExp]>([
    ["no key of the wallet", {}, { sweep }, "warning", /SLIPWAY_HOT_WALLET_KEY/],
    [
      "the key of another wallet",
      { hotWallet: `0x${"1a".repeat(20)}` },
      { hotWallet: hotKey, sweep },
      "broken",
      /SLIPWAY_HOT_WALLET_KEY/,
    ],
    [
      "a keystore that is not there",
      { keystoreFile: "/nowhere/keystore.json" },
      { keystorePassword: "hush", sweep },
      "broken",
      /SLIPWAY_KEYSTORE_PASSWORD/,
    ],
    ["no keys of deposits", {}, { hotWallet: hotKey }, "warning", /SLIPWAY_SWEEP_KEY/],
    [
      "keys of other deposits",
      {},
      { hotWallet: hotKey, sweep: otherWallet.privateExtendedKey ?? "" },
      "broken",
      /Take no deposits until they fit/,
    ],
    [
      "a damaged key of deposits",
      {},
      { hotWallet: hotKey, sweep: sweep.replace(/.$/, "1") },
      "broken",
      /SLIPWAY_SWEEP_KEY/,
    ],
    [
      "a damaged public key",
      { depositKey: wallet.publicExtendedKey.replace(/.$/, "1") },
      { hotWallet: hotKey, sweep },
      "broken",
      /ramp\.rails\.chains\.ethereum/,
    ],
  ])("with %s says what to set, and shows no key", async (_, settings, keys, state, fix) => {
    const findings = await look(settings, keys);
    const troubles = findings.filter((finding) => finding.state !== "ok");
    expect(troubles).toMatchObject([{ state, fix: expect.stringMatching(fix) }]);
    const text = JSON.stringify(findings);
    for (const secret of [hotKey.slice(2), sweep, keys.sweep ?? sweep])
      expect(text).not.toContain(secret);
  });

  test("whose keystore holds something else says so", async () => {
    const keystoreFile = join(temporaryFolder(), "keystore.json");
    writeFileSync(keystoreFile, "{}");
    const findings = await look({ keystoreFile }, { keystorePassword: "hush", sweep });
    expect(findings.filter(({ state }) => state === "broken")).toHaveLength(1);
  });
});
