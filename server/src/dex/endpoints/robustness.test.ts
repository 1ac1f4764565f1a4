import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import {
  bytes,
  dexChains,
  hex,
  insertDeployment,
  insertPools,
  insertTokens,
  insertTrades,
} from "../../../test/dex-fixture.ts";
import { useApp } from "../../../test/test-app.ts";

const app = useApp({}, undefined, { chains: dexChains });

beforeAll(async () => {
  const deployment = await insertDeployment(app.db);
  await insertTokens(app.db, [{ deployment, token: 0, address: bytes(1) }]);
  await insertPools(app.db, [{ deployment, pool: 0, address: bytes(1), token0: 0, token1: 0 }]);
  const swap = { deployment, pool: 0, kind: "swap", transaction_hash: bytes(1, 32) };
  await insertTrades(app.db, [{ ...swap, block: 5 }]);
});

const below = "/v2/dex/uniswap-v3/ethereum";
const path = fc.constantFrom(
  "/v1/dex/uniswap-v3/ethereum/tokens",
  `/v1/dex/uniswap-v3/ethereum/token/${hex(1)}`,
  `${below}/pools`,
  `${below}/pool/${hex(1)}/aggregate`,
  `${below}/pool/${hex(1)}/trades`,
  `${below}/pool/${hex(2)}/trades`,
  `${below}/token/%00`,
  "/v2/dex/__proto__/constructor/tokens",
);
const name = fc.constantFrom(
  ...["limit", "skip", "orderBy", "orderDirection", "from", "to", "block", "timeframe", "interval"],
  ...["tokenSymbol", "tokenId", "tokenName", "tokeName", "logo", "token", "swap", "mint", "burn"],
);
const value = fc.oneof(
  fc.constantFrom(
    "0",
    "1",
    "-1",
    "1e3",
    "9007199254740991",
    "9007199254740992",
    "99999999999999999",
  ),
  fc.constantFrom("hour", "day", "asc", "DESC", "true", "false", "", "\u0000", "' or 1=1 --", "$1"),
  fc.constantFrom("id", "timestamp", "volumeUSD", "amount", "origin", "tick", "supply", hex(1)),
  fc.integer().map(String),
  fc.string({ unit: "binary", maxLength: 20 }),
);

test("any values of any parameters: an answer below 500", async () => {
  await fc.assert(
    fc.asyncProperty(path, fc.array(fc.tuple(name, value), { maxLength: 6 }), async (at, pairs) => {
      const response = await app.ask(`${at}?${new URLSearchParams(pairs)}`);
      expect([200, 400, 404]).toContain(response.status);
      expect(response.headers.get("content-type")).toContain("application/json");
      await response.json();
    }),
    { numRuns: 400 },
  );
  expect(app.lines.filter((line) => line.includes('"level":50'))).toEqual([]);
});
