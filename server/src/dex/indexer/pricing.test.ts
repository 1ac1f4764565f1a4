import { describe, expect, test } from "vitest";
import {
  apply,
  creation,
  type Fields,
  place,
  sceneOf,
  stateFor,
  text,
  usdc,
  vector,
  wbtc,
  weth,
} from "../../../test/reducer-scene.ts";
import type { Hex } from "../../chains/hex.ts";
import { Decimal } from "../../lib/decimal34.ts";
import { noChanges } from "./changes.ts";
import { derivedEth, isPoisoned, nativePriceUsd, trackedUsd } from "./pricing.ts";
import { newToken, type Pool } from "./state.ts";

describe("prices", () => {
  test.each(["nativePriceUSD.0", "nativePriceUSD.1", "nativePriceUSD.2"])("%s", (id) => {
    const given = vector(id) as unknown as {
      pool: Fields;
      poolExists: boolean;
      stablecoinIsToken0: boolean;
      expect: string;
    };
    const { state, pool } = sceneOf(
      given.stablecoinIsToken0 ? {} : { config: { ...vector("Swap").config, wrappedNative: usdc } },
    );
    pool.token0Price = Decimal.parse(given.pool.token0Price ?? "0");
    pool.token1Price = Decimal.parse(given.pool.token1Price ?? "0");
    if (!given.poolExists) state.pools.clear();
    expect(text(nativePriceUsd(state))).toBe(given.expect);
  });

  test("a chain whose native coin is a dollar prices it at 1", () => {
    const config = { ...vector("Swap").config, stablecoinWrappedNativePool: weth };
    expect(text(nativePriceUsd(stateFor(config)))).toBe("1");
  });

  test("the wrapped native coin is worth 1, a stablecoin the inverse of its price", () => {
    const { state, token0, token1 } = sceneOf();
    state.ethPriceUsd = Decimal.parse("2000");
    expect(text(derivedEth(token1, state))).toBe("1");
    expect(text(derivedEth(token0, state))).toBe("0.0005");
  });

  /** WBTC against WETH, as in the vectors; WETH is made to be worth 10. */
  function bitcoinScene(locked: string, liquidity = 100n, minimum = "0") {
    const state = stateFor({ minimumNativeLocked: minimum });
    const scene = { state, changes: noChanges() };
    const pool: Hex = "0xcbcdf9626bc03e24f779434178a73a0b4bad62ed";
    apply(scene, { ...creation, pool, token0: wbtc, token1: weth });
    const created = state.pools.get(pool) as Pool;
    created.liquidity = liquidity;
    created.totalValueLocked1 = Decimal.parse(locked);
    created.token1Price = Decimal.parse("5");
    created.token1.derivedEth = Decimal.parse("10");
    return { state, pool: created };
  }

  test("any other token is priced by the pool with most native coins on the other side", () => {
    const { state, pool } = bitcoinScene("100");
    expect(text(derivedEth(pool.token0, state))).toBe("50");
  });

  test.each([
    ["has no liquidity", bitcoinScene("100", 0n)],
    ["has no more than the minimum locked", bitcoinScene("100", 100n, "1000")],
  ])("a pool that %s gives no price", (_, { state, pool }) => {
    expect(text(derivedEth(pool.token0, state))).toBe("0");
  });

  test("a token without pools has no price", () => {
    const state = stateFor();
    const token = newToken(state, wbtc, { name: "", symbol: "", decimals: 8 });
    expect(text(derivedEth(token, state))).toBe("0");
  });

  test("correction: small pools still value what is locked, as untracked", () => {
    const { state, pool } = bitcoinScene("100", 100n, "1000");
    state.ethPriceUsd = Decimal.parse("2");
    const scene = { state, changes: noChanges() };
    const at = { ...place, address: pool.address };
    const amounts = { amount: 0n, amount0: 300_000_000n, amount1: 0n };
    apply(
      scene,
      { kind: "mint", sender: weth, owner: weth, tickLower: 0, tickUpper: 60, ...amounts },
      at,
    );
    expect(text(pool.token0.totalValueLockedUsd)).toBe("0");
    expect(text(pool.token0.totalValueLockedUsdUntracked)).toBe("300");
  });

  test("correction: a pool that values its own side a thousand times above the other is not believed", () => {
    const { state, pool } = bitcoinScene("100");
    pool.totalValueLocked0 = Decimal.parse("20001");
    expect(text(derivedEth(pool.token0, state))).toBe("0");
    pool.totalValueLocked0 = Decimal.parse("20000");
    expect(text(derivedEth(pool.token0, state))).toBe("50");
  });

  test("a poisoned price would count a swap of 2,500 dollars as billions; the guard rejects it", () => {
    const given = vector("trackedUSD.poisonedDerivedETH") as unknown as {
      tokens: { t0: Hex; t1: Hex };
      derivedETH: Fields;
      ethPriceUSD: string;
      amountsAbs: Fields;
      expect: { onlyT1Whitelisted: string; bothWhitelisted: string };
    };
    const amounts = {
      amount0: Decimal.parse(given.amountsAbs.t0 ?? ""),
      amount1: Decimal.parse(given.amountsAbs.t1 ?? ""),
    };
    const price = Decimal.parse(given.ethPriceUSD);
    const tokens = (whitelist: Hex[]) => {
      const state = stateFor({ whitelist });
      const token = (address: Hex, derived: string | undefined) => ({
        ...newToken(state, address, { name: "", symbol: "", decimals: 6 }),
        derivedEth: Decimal.parse(derived ?? "0"),
      });
      return {
        token0: token(given.tokens.t0, given.derivedETH.t0),
        token1: token(given.tokens.t1, given.derivedETH.t1),
      };
    };
    const both = trackedUsd(tokens([given.tokens.t0, given.tokens.t1]), amounts, price);
    expect(text(both.halved())).toBe(given.expect.bothWhitelisted);
    const one = trackedUsd(tokens([given.tokens.t1]), amounts, price);
    expect(text(one.halved())).toBe(given.expect.onlyT1Whitelisted);
    const own = amounts.amount0.times(Decimal.parse(given.derivedETH.t0 ?? "0"));
    const other = amounts.amount1.times(Decimal.parse(given.derivedETH.t1 ?? "0"));
    expect(isPoisoned(own, other)).toBe(true);
  });
});
