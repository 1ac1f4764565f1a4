import type { CexMarket } from "@slipway/sdk";
import { describe, expect, test } from "vitest";
import { topMarkets } from "./top-markets.ts";

function market(id: string, changed: Partial<CexMarket> = {}): CexMarket {
  const [base = "", quote = ""] = id.split("-");
  const fees = { percentage: true, taker: 0.002, maker: 0.001 };
  const names = { exchange: "kraken", symbol: `${base}/${quote}`, id, base, quote };
  return { ...names, ...fees, active: true, type: "spot", ...changed };
}

const idsOf = (markets: readonly CexMarket[]) => markets.map(({ id }) => id);

describe("the markets that are shown where there is room for a few", () => {
  test("are those that people ask for most, in whatever order an exchange lists them", () => {
    const listed = ["1INCH-EUR", "ETH-USD", "ZRX-BTC", "SOL-USD", "BTC-USD"].map((id) =>
      market(id),
    );
    expect(idsOf(topMarkets(listed, 3))).toEqual(["BTC-USD", "ETH-USD", "SOL-USD"]);
  });

  test("are open, and no contracts", () => {
    const listed = [
      market("BTC-USD", { active: false }),
      market("BTC-USDT:USDT", { type: "swap" }),
      market("ZRX-ADA"),
    ];
    expect(idsOf(topMarkets(listed, 3))).toEqual(["ZRX-ADA"]);
  });
});
