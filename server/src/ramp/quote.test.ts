import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  asCents,
  asPriceE18,
  asUnits,
  type Cents,
  parseDecimal,
  type Units,
} from "../lib/money.ts";
import { findToken, type SupportedToken, supportedTokens } from "./assets.ts";
import { grossCents } from "./pricing.ts";
import { type AskedOrders, methodFault, priceOrders, readCents, readUnits } from "./quote.ts";

const fields = { units: "sourceQuantity", cents: "destinationQuantity" };
const buyFields = { units: "destinationQuantity", cents: "sourceQuantity" };
const usdc = tokenOf("USDC", "ethereum");
const eth = tokenOf("ETH", "ethereum");

function tokenOf(symbol: string, blockchain: string): SupportedToken {
  const token = findToken(symbol, blockchain);
  if (!token) throw new Error(`no ${symbol} on ${blockchain}`);
  return token;
}

const dollars = (text: string): Cents => asCents(parseDecimal(text, 2) ?? -1n);
const tokens = (text: string, token: SupportedToken): Units =>
  asUnits(parseDecimal(text, token.decimals) ?? -1n);

type Order = { units?: string; cents?: string; token?: SupportedToken; price?: string };

function sale({ units, cents, token = usdc, price = "1" }: Order, isWire = false): AskedOrders {
  return {
    type: "OFF_RAMP",
    method: isWire ? "WIRE" : "ACH",
    token,
    priceE18: asPriceE18(parseDecimal(price, 18) ?? 0n),
    feeCents: dollars(isWire ? "25" : "0"),
    units: units === undefined ? null : tokens(units, token),
    cents: cents === undefined ? null : dollars(cents),
    fields,
  };
}

function purchase(order: Order): AskedOrders {
  return { ...sale(order), type: "ON_RAMP", method: "WIRE", fields: buyFields };
}

describe("a sale", () => {
  test("of a quantity gives what it is worth, less the fee", () => {
    expect(priceOrders(sale({ units: "100.129999" }))).toEqual({
      units: 100_129_999n,
      cents: 100_12n,
      grossCents: 100_12n,
    });
    expect(priceOrders(sale({ units: "1", token: eth, price: "3500.555" }, true))).toEqual({
      units: 10n ** 18n,
      cents: 3_475_55n,
      grossCents: 3_500_55n,
    });
  });

  test("for dollars takes the quantity that gives them after the fee", () => {
    expect(priceOrders(sale({ cents: "100" }, true))).toEqual({
      units: 125_000_000n,
      cents: 100_00n,
      grossCents: 125_00n,
    });
    expect(priceOrders(sale({ cents: "100", price: "0.9999" }))).toMatchObject({
      units: 100_010_002n,
      cents: 100_00n,
    });
  });

  test("with both quantities follows the source, and the destination is the least that will do", () => {
    expect(priceOrders(sale({ units: "100", cents: "99.99" }))).toMatchObject({ cents: 100_00n });
    expect(priceOrders(sale({ units: "100", cents: "100" }))).toMatchObject({ cents: 100_00n });
    expect(priceOrders(sale({ units: "100", cents: "100", price: "0.9912" }))).toEqual({
      fault: "unprocessable",
      messages: ["The current price gives 99.12 USD, less than the requested 100.00 USD"],
    });
  });

  test.each<[string, AskedOrders, string]>([
    ["too little", sale({ units: "9.999999" }), "sourceQuantity is below the minimum of 10 USDC"],
    [
      "too much",
      sale({ units: "5000000.000001" }),
      "sourceQuantity is above the maximum of 5000000 USDC",
    ],
    [
      "for too few dollars",
      sale({ cents: "9.99" }),
      "destinationQuantity comes to 9.99 USDC, below the minimum of 10 USDC",
    ],
    [
      "that the fee eats up",
      sale({ units: "25.99" }, true),
      "proceeds do not cover the 25 USD wire fee",
    ],
    [
      "for less than a wire carries",
      sale({ cents: "0.99" }, true),
      "destinationQuantity is below the minimum of 1.00 USD by WIRE",
    ],
    [
      "that is worth nothing",
      sale({ units: "10", price: "0.0009" }),
      "sourceQuantity comes to less than 0.01 USD",
    ],
    [
      "for more than ACH carries",
      sale({ token: tokenOf("POL", "polygon"), cents: "100000000", price: "0.5" }),
      "destinationQuantity is above the maximum of 99999999.99 USD by ACH",
    ],
    [
      "of more than ACH carries",
      sale({ token: tokenOf("POL", "polygon"), units: "200000001", price: "0.5" }),
      "sourceQuantity comes to 100000000.50 USD, above the maximum of 99999999.99 USD by ACH",
    ],
  ])("%s is refused", (_, asked, message) => {
    expect(priceOrders(asked)).toEqual({ fault: "bad_request", messages: [message] });
  });

  test("names all faults at once", () => {
    expect(priceOrders(sale({ units: "1", cents: "5" }, true))).toEqual({
      fault: "bad_request",
      messages: [
        "sourceQuantity is below the minimum of 10 USDC",
        "proceeds do not cover the 25 USD wire fee",
      ],
    });
  });

  test("by wire may just be worth it", () => {
    expect(priceOrders(sale({ units: "26" }, true))).toMatchObject({ cents: 1_00n });
  });
});

describe("a purchase", () => {
  test("for dollars gives what they buy", () => {
    expect(priceOrders(purchase({ cents: "100", token: eth, price: "3500" }))).toEqual({
      units: 28_571_428_571_428_571n,
      cents: 100_00n,
      grossCents: 100_00n,
    });
  });

  test("of a quantity takes the dollars that buy it", () => {
    expect(priceOrders(purchase({ units: "0.1", token: eth, price: "3500.005" }))).toEqual({
      units: 10n ** 17n,
      cents: 350_01n,
      grossCents: 350_01n,
    });
  });

  test("with both quantities follows the dollars", () => {
    expect(priceOrders(purchase({ cents: "100", units: "100" }))).toMatchObject({
      units: 100_000_000n,
    });
    expect(priceOrders(purchase({ cents: "100", units: "100.000001" }))).toEqual({
      fault: "unprocessable",
      messages: ["The current price gives 100 USDC, less than the requested 100.000001 USDC"],
    });
  });

  test.each<[string, AskedOrders, string]>([
    [
      "for too few dollars",
      purchase({ cents: "5" }),
      "sourceQuantity comes to 5 USDC, below the minimum of 10 USDC",
    ],
    [
      "of too little",
      purchase({ units: "5" }),
      "destinationQuantity is below the minimum of 10 USDC",
    ],
  ])("%s is refused", (_, asked, message) => {
    expect(priceOrders(asked)).toEqual({ fault: "bad_request", messages: [message] });
  });
});

describe("asking for what was offered is never dearer", () => {
  const token = fc.constantFrom(...supportedTokens);
  const price = fc.bigInt({ min: 10n ** 14n, max: 10n ** 24n }).map(asPriceE18);
  /** In thousandths of the least, so that about every other is inside the limits. */
  const multiple = fc.bigInt({ min: 500n, max: 10n ** 7n });

  test("for sales", () => {
    fc.assert(
      fc.property(token, price, multiple, (coin, priceE18, thousandths) => {
        const terms = { ...sale({ token: coin }, true), priceE18 };
        const units = asUnits((coin.leastUnits * thousandths) / 1000n);
        const offer = priceOrders({ ...terms, units });
        fc.pre("cents" in offer);
        expect(offer.units >= coin.leastUnits && offer.cents >= 1_00n).toBe(true);
        const again = priceOrders({ ...terms, cents: offer.cents });
        // Fewer tokens may do, and so may be fewer than the least.
        fc.pre("cents" in again);
        expect(again.cents).toBe(offer.cents);
        expect(again.units <= offer.units).toBe(true);
      }),
    );
  });

  test("for purchases", () => {
    fc.assert(
      fc.property(token, price, multiple, (coin, priceE18, thousandths) => {
        const terms = { ...purchase({ token: coin }), priceE18 };
        const leastCents = grossCents(coin.leastUnits, priceE18, coin.decimals);
        const offer = priceOrders({ ...terms, cents: asCents((leastCents * thousandths) / 1000n) });
        fc.pre("units" in offer);
        expect(offer.units >= coin.leastUnits).toBe(true);
        const again = priceOrders({ ...terms, units: offer.units });
        expect(again).toMatchObject({ units: offer.units });
        expect("cents" in again && again.cents <= offer.cents).toBe(true);
      }),
    );
  });
});

describe("a quantity in a body", () => {
  test.each<[unknown, bigint]>([
    ["12.5", 12_500_000n],
    [12.5, 12_500_000n],
    ["0.000001", 1n],
  ])("%j is read", (value, units) => {
    expect(readUnits("quantity", value, usdc)).toEqual({ units });
  });

  test.each<[unknown, string]>([
    ["1.123456789", "quantity has 9 decimals; USDC on ethereum allows 6"],
    ["0", "quantity must be greater than 0"],
    ["0.000000", "quantity must be greater than 0"],
    [0, "quantity must be greater than 0"],
    ["-1", 'quantity must be a decimal string such as "12.5"'],
    [true, 'quantity must be a decimal string such as "12.5"'],
  ])("%j is refused", (value, fault) => {
    expect(readUnits("quantity", value, usdc)).toEqual({ fault });
  });

  test("dollars have two decimals", () => {
    expect(readCents("quantity", "10.25")).toEqual({ cents: 10_25n });
    expect(readCents("quantity", "10.255")).toEqual({
      fault: "quantity has 3 decimals; USD allows 2",
    });
  });
});

test("ACH is for sales only", () => {
  expect(methodFault("ON_RAMP", "ACH")).toBe("ACH is available for off-ramp transactions only");
  expect(methodFault("ON_RAMP", "WIRE")).toBeUndefined();
  expect(methodFault("OFF_RAMP", "ACH")).toBeUndefined();
  expect(methodFault("OFF_RAMP", "WIRE")).toBeUndefined();
});
