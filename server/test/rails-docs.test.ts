import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { readConfig } from "../src/config.ts";
import { assert } from "../src/lib/errors.ts";
import { openLiveRails } from "../src/live-rails.ts";
import { bankProfileOf } from "../src/ramp/rails/bank/bank-profile.ts";
import { bankHook } from "../src/ramp/rails/bank/webhook.ts";
import { marketsOf } from "../src/ramp/rails/prices/configured-markets.ts";
import { railNews } from "../src/ramp/rails/store/notices.ts";
import { useWorld } from "./ramp-world.ts";
import { root, temporaryFolder } from "./test-service.ts";

const guide = readFileSync(join(root, "docs/rails.md"), "utf8");
const [settings, message] = ["yaml", "json"].map((kind) => {
  const [, text] = new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, "ms").exec(guide) ?? [];
  assert(text, `the guide shows ${kind}`);
  return text;
});
const world = useWorld(2);

/** A well-known key of nobody, of the address that the guide shows. */
const hotWalletKey = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

function readGuide() {
  const file = join(temporaryFolder(), "slipway.yaml");
  writeFileSync(file, settings ?? "");
  return readConfig({ SLIPWAY_CONFIG: file, SLIPWAY_HOT_WALLET_KEY: hotWalletKey }).config;
}

test("the settings that the guide shows are all that it takes", async () => {
  const { ramp, exchanges } = readGuide();
  const { context } = world;
  const { prices } = context.ports;
  const rails = await openLiveRails({ settings: ramp.rails, context, prices, movesMoney: true });
  expect(rails?.ports.serves("ethereum")).toBe(true);
  expect(rails?.ports.serves("base")).toBe(false);
  expect(rails?.ports.depositAddresses.at("ethereum", 7)).toMatch(/^0x[0-9a-fA-F]{40}$/);
  expect(marketsOf(ramp.rails.prices, exchanges).ETH).toEqual([
    "kraken/ETH-USD",
    "coinbase/ETH-USD",
  ]);
  await rails?.close();
});

test("the webhook that the guide shows is taken as the wire that it tells of", async () => {
  const { ramp } = readGuide();
  const { bank } = ramp.rails;
  assert(bank && message, "the guide shows a bank");
  const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
  const hook = bankHook({ ...world.context, bank: bankProfileOf(bank) }, secret);
  const at = new Date(world.clock.now());
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": new Webhook(secret).sign("msg_1", at, message),
  };
  await hook.receive({ headers, body: message });
  const { notices } = await railNews(world.context, "bank").read(null);
  expect(notices).toMatchObject([
    { kind: "wire_received", bankReference: "20261116MMQFMP0A000123", cents: 100_000n },
  ]);
});
