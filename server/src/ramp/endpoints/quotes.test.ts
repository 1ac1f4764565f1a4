import type { NewQuote } from "@slipway/sdk";
import { afterEach, describe, expect, test } from "vitest";
import { manualClock } from "../../../test/manual-clock.ts";
import { useApp } from "../../../test/test-app.ts";
import { sql } from "../../database/sql.ts";

const clock = manualClock(Date.UTC(2026, 10, 16, 15, 0, 0, 7));
let areTherePrices = true;
const app = useApp({}, clock, {
  ramp: ({ ports }) => ({
    ports: ports && {
      ...ports,
      prices: {
        current: (token) => (areTherePrices ? ports.prices.current(token) : undefined),
      },
    },
  }),
});
afterEach(() => {
  areTherePrices = true;
});

const sale = { type: "OFF_RAMP", currency: "USDC", blockchain: "ethereum" } as const;
const purchase = { type: "ON_RAMP", currency: "ETH", blockchain: "base" } as const;
const ask = (quote: NewQuote) => app.as("master").ramp.quotes.create(quote);
const refusal = async (body: unknown) => {
  const response = await app.ask("/v2/ramp/quotes", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { errors } = (await response.json()) as { errors: { message: string }[] };
  return { status: response.status, messages: errors.map(({ message }) => message) };
};

describe("POST /v2/ramp/quotes", () => {
  test("201: what a sale gives, by ACH unless told otherwise", async () => {
    expect(await ask({ ...sale, sourceQuantity: "100.129999" })).toEqual({
      id: expect.stringMatching(/^quo-\d+$/),
      type: "OFF_RAMP",
      settlementMethod: "ACH",
      currency: "USDC",
      blockchain: "ethereum",
      sourceQuantity: "100.129999",
      destinationQuantity: "100.12",
      priceUsd: "1",
      feeUsd: "0.00",
      estimatedSendDate: "2026-11-16",
      estimatedSettlementDate: { earliest: "2026-11-18", latest: "2026-11-23" },
      createdAt: "2026-11-16T15:00:00.007",
      expiresAt: "2026-11-16T15:15:00.007",
    });
  });

  test.each<[string, NewQuote, object]>([
    [
      "a sale by wire, whose fee comes off",
      { ...sale, settlementMethod: "WIRE", sourceQuantity: "1000" },
      {
        sourceQuantity: "1000",
        destinationQuantity: "975.00",
        feeUsd: "25.00",
        estimatedSendDate: "2026-11-16",
        estimatedSettlementDate: { earliest: "2026-11-16", latest: "2026-11-17" },
      },
    ],
    [
      "a sale for dollars that are to arrive",
      { ...sale, settlementMethod: "WIRE", destinationQuantity: "975" },
      { sourceQuantity: "1000", destinationQuantity: "975.00" },
    ],
    [
      "a purchase for dollars, by wire",
      { ...purchase, sourceQuantity: "100" },
      {
        settlementMethod: "WIRE",
        sourceQuantity: "100.00",
        destinationQuantity: "0.028571428571428571",
        priceUsd: "3500",
        feeUsd: "0.00",
        estimatedSendDate: null,
        estimatedSettlementDate: null,
      },
    ],
    [
      "a purchase of tokens",
      { ...purchase, destinationQuantity: "0.0285714" },
      { sourceQuantity: "100.00", destinationQuantity: "0.0285714" },
    ],
    [
      "names in any case and other names",
      { ...sale, currency: "usdc", blockchain: "ETH", sourceQuantity: "10" },
      { currency: "USDC", blockchain: "ethereum" },
    ],
    [
      "18 decimals where the token has them",
      { ...sale, blockchain: "bnb", sourceQuantity: "10.000000000000000001" },
      { sourceQuantity: "10.000000000000000001", destinationQuantity: "10.00" },
    ],
  ])("201: %s", async (_, body, expected) => {
    expect(await ask(body)).toMatchObject(expected);
  });

  test("201: a quantity may be a number", async () => {
    const response = await app.ask("/v2/ramp/quotes", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...sale, sourceQuantity: 12.5 }),
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ sourceQuantity: "12.5" });
  });

  test("201: the same answer to the same request with an Idempotency-Key, and one quote", async () => {
    const body = { ...sale, sourceQuantity: "77" };
    const options = { idempotencyKey: "quote-77" };
    const { quotes } = app.as("master").ramp;
    const [first, again] = [await quotes.create(body, options), await quotes.create(body, options)];
    expect(again).toEqual(first);
    const stored = await app.db.query(sql`
      select id from quotes where quote -> 'units' ->> 'bigint' = ${"77000000"}`);
    expect(stored).toEqual([{ id: first.id }]);
  });

  test("201: for a subaccount it is the subaccount's", async () => {
    const { ramp } = app.as("master");
    const { newSubAccountId: userId } = await ramp.subaccounts.create({
      name: "Sub Account",
      email: "sub@quotes.example",
    });
    const { id } = await ask({ ...sale, sourceQuantity: "50", userId });
    const owners = await app.db.query(sql`
      select user_id as "userId" from quotes where id = ${id}`);
    expect(owners).toEqual([{ userId }]);
  });

  test.each<[string, object, string[]]>([
    [
      "nothing at all",
      {},
      [
        "Required field is missing: type",
        "Required field is missing: currency",
        "Required field is missing: blockchain",
      ],
    ],
    [
      "values of the wrong kind",
      { ...sale, type: "SWAP", settlementMethod: "SEPA", sourceQuantity: true },
      [
        "type must be ON_RAMP or OFF_RAMP",
        "settlementMethod must be ACH or WIRE",
        'sourceQuantity must be a decimal string such as "12.5"',
      ],
    ],
    ["no quantity", sale, ["Required field is missing: sourceQuantity or destinationQuantity"]],
    [
      "both quantities",
      { ...sale, sourceQuantity: "10", destinationQuantity: "10" },
      ["sourceQuantity and destinationQuantity must not both be given"],
    ],
    [
      "a purchase by ACH, and all else that is wrong",
      { ...purchase, settlementMethod: "ACH", blockchain: "foo", destinationQuantity: "1e3" },
      [
        "ACH is available for off-ramp transactions only",
        'blockchain "foo" is not supported',
        'destinationQuantity must be a decimal string such as "12.5"',
      ],
    ],
    [
      "a token that is not there",
      { ...sale, currency: "DAI", blockchain: "solana", sourceQuantity: "10" },
      ['currency "DAI" is not supported on solana'],
    ],
    [
      "too many decimals",
      { ...sale, blockchain: "base", sourceQuantity: "1.123456789" },
      ["sourceQuantity has 9 decimals; USDC on base allows 6"],
    ],
    [
      "a number that may have lost digits",
      { ...sale, sourceQuantity: 1234567.123456789 },
      ["sourceQuantity must be a string when it has more than 15 digits"],
    ],
    ["zero", { ...sale, sourceQuantity: "0" }, ["sourceQuantity must be greater than 0"]],
    [
      "less than the least",
      { ...sale, sourceQuantity: "9.99" },
      ["sourceQuantity is below the minimum of 10 USDC"],
    ],
    [
      "proceeds that the fee eats up",
      { ...sale, settlementMethod: "WIRE", sourceQuantity: "25" },
      ["proceeds do not cover the 25 USD wire fee"],
    ],
  ])("400: %s", async (_, body, messages) => {
    expect(await refusal(body)).toEqual({ status: 400, messages });
  });

  test("403: for an account that is not the caller's", async () => {
    const body = { ...sale, sourceQuantity: "50", userId: "usr-10000000000002" };
    expect(await refusal(body)).toMatchObject({ status: 403 });
  });

  test("503: there is no price, and no quote is left behind", async () => {
    areTherePrices = false;
    expect(await refusal({ ...sale, sourceQuantity: "4711" })).toEqual({
      status: 503,
      messages: ["There is no price for USDC just now. Try again in a moment."],
    });
    const stored = await app.db.query(sql`
      select id from quotes where quote -> 'units' ->> 'bigint' = ${"4711000000"}`);
    expect(stored).toEqual([]);
  });
});
