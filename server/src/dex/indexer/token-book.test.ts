import { describe, expect, test } from "vitest";
import { addressOf, fakeChain } from "../../../test/fake-chain.ts";
import type { FakeToken } from "../../../test/fake-node.ts";
import { memoryNodes } from "../../../test/memory-nodes.ts";
import { vectors } from "../../../test/reducer-scene.ts";
import { useDatabase } from "../../../test/test-database.ts";
import type { Hex } from "../../chains/hex.ts";
import { sql } from "../../database/sql.ts";
import type { TokenOverride } from "../deployment.ts";
import { openTokenBook } from "./token-book.ts";

const held = useDatabase();
let tokens = 0;

/** What the book says about a token whose contract answers like this. */
async function learn(contract: FakeToken, override?: Omit<TokenOverride, "address">) {
  const address = addressOf(`token ${++tokens}`);
  const nodes = memoryNodes(fakeChain(), { [address]: contract });
  const overrides = override ? [{ address, ...override }] : [];
  const book = openTokenBook({ db: held.db, nodes, blockchain: "ethereum", overrides });
  await book.learn([address], 5);
  return { address, metadata: book.entries.get(address), nodes };
}

const bytes32 = (text: string): Hex => `0x${Buffer.from(text).toString("hex").padEnd(64, "0")}`;
const good = { name: "USD Coin", symbol: "USDC", decimals: 6, totalSupply: 300n };

type TextVector = {
  id: string;
  string: string | null;
  bytes32: string | null;
  override: string | null;
  expect: string;
};

describe("what a token says about itself", () => {
  const texts = vectors.filter(({ id }) => /^tokenMetadata\.(symbol|name)\./.test(id));
  test.each(texts as unknown as TextVector[])("$id: $case", async (given) => {
    const field = given.id.includes("symbol") ? "symbol" : "name";
    const fixed = given.bytes32?.startsWith("0x") ? given.bytes32 : bytes32(given.bytes32 ?? "");
    const answer = given.string ?? (given.bytes32 === null ? undefined : fixed);
    const { [field]: _, ...others } = good;
    const contract = answer === undefined ? others : { ...good, [field]: answer };
    const override = given.override ? { ...good, [field]: given.override } : undefined;
    const { metadata } = await learn(contract, override);
    expect(metadata?.[field]).toBe(given.expect);
  });

  test.each([
    [300n, "300"],
    [undefined, "0"],
  ])("tokenMetadata.totalSupply: %s is %s", async (totalSupply, expected) => {
    const { totalSupply: _, ...others } = good;
    const { address } = await learn(totalSupply === undefined ? others : { ...good, totalSupply });
    const rows = await held.db.query<{ supply: string }>(sql`
      select supply from token_supplies where address = ${Buffer.from(address.slice(2), "hex")}`);
    expect(rows).toEqual([{ supply: expected }]);
  });

  test("tokenMetadata.decimals: as called, as overridden, or the token cannot be indexed", async () => {
    const { decimals: _, ...silent } = good;
    expect((await learn(good)).metadata?.decimals).toBe(6);
    expect((await learn(silent, { ...good, decimals: 6 })).metadata?.decimals).toBe(6);
    expect((await learn(silent)).metadata).toBeUndefined();
    expect((await learn({ ...good, decimals: 255 })).metadata).toBeUndefined();
  });

  test("texts that a database or a screen could not bear are made bearable", async () => {
    const { metadata } = await learn({ ...good, name: "A\0B", symbol: "x".repeat(100_000) });
    expect(metadata?.name).toBe("AB");
    expect(metadata?.symbol).toHaveLength(256);
  });

  test("is asked once, and then known without a node", async () => {
    const { address, metadata } = await learn(good);
    const book = openTokenBook({
      db: held.db,
      nodes: undefined,
      blockchain: "ethereum",
      overrides: [],
    });
    await book.learn([address], 9);
    expect(book.entries.get(address)).toEqual(metadata);
    await expect(book.learn([addressOf("nobody")], 9)).rejects.toThrow(/Start the service/);
  });
});
