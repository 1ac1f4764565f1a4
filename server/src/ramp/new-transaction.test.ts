import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CallerError } from "../lib/errors.ts";
import { readNewTransaction } from "./new-transaction.ts";

type Fields = Record<string, unknown>;

const wallet = { walletId: "wal-7", blockchain: "base", currency: "USDC", quantity: "100" };
const bank = { currency: "USD", bankAccountId: "bac-3" };

/** Every fault that is found in a body; none when it can be read. */
function faultsOf(body: Fields): readonly string[] {
  try {
    readNewTransaction(body);
    return [];
  } catch (error) {
    if (error instanceof CallerError && error.fault === "bad_request") return error.messages;
    throw error;
  }
}

describe("what is asked for", () => {
  test("a wallet as the source makes a sale", () => {
    expect(
      readNewTransaction({
        settlementMethod: "WIRE",
        sourceOrder: wallet,
        destinationOrder: { ...bank, quantity: "70.5" },
      }),
    ).toMatchObject({
      shape: "sourceDestination",
      type: "OFF_RAMP",
      settlementMethod: "WIRE",
      walletId: "wal-7",
      bankAccountId: "bac-3",
      token: { symbol: "USDC", blockchain: "base", decimals: 6 },
      units: 100_000_000n,
      cents: 7_050n,
      quoteId: null,
      fields: { units: "sourceOrder.quantity", cents: "destinationOrder.quantity" },
    });
  });

  test("a bank account as the source makes a purchase", () => {
    const { quantity: _, ...walletSide } = wallet;
    expect(
      readNewTransaction({
        settlementMethod: "WIRE",
        sourceOrder: { bankAccountId: "bac-3", quantity: 250 },
        destinationOrder: walletSide,
        quoteId: "quo-1",
      }),
    ).toMatchObject({ type: "ON_RAMP", units: null, cents: 25_000n, quoteId: "quo-1" });
  });

  test.each([
    ["bare", { sellOrder: wallet, buyOrder: bank }],
    ["inside transaction", { transaction: { sellOrder: wallet, buyOrder: bank } }],
  ])("the older shape %s needs no method", (_, body) => {
    expect(readNewTransaction(body)).toMatchObject({ shape: "sellBuy", settlementMethod: "ACH" });
    const given = { ...body, settlementMethod: "WIRE" };
    expect(readNewTransaction(given)).toMatchObject({ settlementMethod: "WIRE" });
  });

  test("buying in the older shape is by wire", () => {
    const body = { transaction: { sellOrder: bank, buyOrder: wallet } };
    expect(readNewTransaction(body)).toMatchObject({ type: "ON_RAMP", settlementMethod: "WIRE" });
  });

  test("the newer shape may stand inside transaction too", () => {
    const transaction = { settlementMethod: "ACH", sourceOrder: wallet, destinationOrder: bank };
    expect(readNewTransaction({ transaction, userId: "usr-1" })).toMatchObject({
      shape: "sourceDestination",
      fields: { units: "transaction.sourceOrder.quantity" },
    });
  });

  test("names are read in any case, and null says nothing", () => {
    const sourceOrder = { ...wallet, blockchain: " Base", currency: "usdc", bankAccountId: null };
    const destinationOrder = { ...bank, currency: "usd", walletId: null, quantity: null };
    const body = { settlementMethod: "ACH", sourceOrder, destinationOrder };
    expect(readNewTransaction(body).token).toMatchObject({ symbol: "USDC", blockchain: "base" });
  });
});

describe("what is wrong", () => {
  const body = (source: Fields, destination: Fields = bank, method: unknown = "ACH") => ({
    settlementMethod: method,
    sourceOrder: source,
    destinationOrder: destination,
  });
  const rule =
    "One of sourceOrder and destinationOrder must have walletId and blockchain, the other bankAccountId";

  test.each<[why: string, body: Fields, faults: string[]]>([
    [
      "nothing is there",
      {},
      ["settlementMethod", "sourceOrder", "destinationOrder"].map(
        (field) => `Required field is missing: ${field}`,
      ),
    ],
    [
      "nothing is in transaction",
      { transaction: {} },
      [
        "Required field is missing: transaction.sellOrder",
        "Required field is missing: transaction.buyOrder",
      ],
    ],
    ["transaction is no object", { transaction: "txn-1" }, ["transaction must be an object"]],
    [
      "both families are there",
      { ...body(wallet), sellOrder: wallet },
      [
        "The orders must be given once: as sourceOrder and destinationOrder, or as sellOrder and buyOrder",
      ],
    ],
    ["an order is a list", { ...body(wallet), sourceOrder: [] }, ["sourceOrder must be an object"]],
    ["both are wallets", body(wallet, wallet), [rule]],
    ["both are banks", body(bank, bank), [rule]],
    ["one is both", body({ ...wallet, ...bank }), [rule]],
    [
      "the orders are empty",
      body({}, {}),
      [
        "Required field is missing: one of sourceOrder and destinationOrder needs walletId and blockchain, the other bankAccountId",
      ],
    ],
    [
      "a purchase is to be paid by ACH",
      body(bank, wallet),
      ["ACH is available for off-ramp transactions only"],
    ],
    ["the method is another", body(wallet, bank, "CARD"), ["settlementMethod must be ACH or WIRE"]],
    ["the method is no text", body(wallet, bank, 5), ["settlementMethod must be ACH or WIRE"]],
    [
      "two methods are given",
      { transaction: body(wallet), settlementMethod: "WIRE" },
      ["settlementMethod is given twice with different values"],
    ],
    [
      "everything has a fault: all are said, in the order of the document",
      {
        settlementMethod: "CASH",
        sourceOrder: { walletId: 7, blockchain: "moon", currency: "USDC", quantity: "1e5" },
        destinationOrder: { bankAccountId: [], currency: "EUR", quantity: "-1" },
        quoteId: {},
      },
      [
        "settlementMethod must be ACH or WIRE",
        "sourceOrder.walletId must be a string",
        'sourceOrder.blockchain "moon" is not supported',
        'sourceOrder.quantity must be a decimal string such as "12.5"',
        "destinationOrder.currency must be USD",
        'destinationOrder.quantity must be a decimal string such as "12.5"',
        "destinationOrder.bankAccountId must be a string",
        "quoteId must be a string",
      ],
    ],
    [
      "the token is not on that blockchain",
      body({ ...wallet, currency: "SOL" }),
      ['sourceOrder.currency "SOL" is not supported on base'],
    ],
    [
      "a long name is not repeated",
      body({ ...wallet, blockchain: "x".repeat(99) }),
      ["sourceOrder.blockchain is not supported"],
    ],
    [
      "there are too many decimals",
      body({ ...wallet, quantity: "0.123456789" }, { ...bank, quantity: "1.005" }),
      [
        "sourceOrder.quantity has 9 decimals; USDC on base allows 6",
        "destinationOrder.quantity has 3 decimals; USD allows 2",
      ],
    ],
  ])("%s", (_, given, faults) => {
    expect(faultsOf(given)).toEqual(faults);
  });
});

/** Both shapes and both types, complete, with the paths of everything that is required in them. */
const complete = [
  ["sourceOrder", "destinationOrder", ""],
  ["sourceOrder", "destinationOrder", "transaction."],
  ["sellOrder", "buyOrder", ""],
  ["sellOrder", "buyOrder", "transaction."],
].flatMap(([source = "", destination = "", path = ""]) =>
  ([true, false] as const).map((isSale) => ({ source, destination, path, isSale })),
);

test("of an incomplete body exactly the missing fields are named, in the order of the document", () => {
  const removable = [
    "settlementMethod",
    "walletId",
    "blockchain",
    "currency",
    "quantity",
    "bankAccountId",
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...complete),
      fc.subarray(removable),
      ({ source, destination, path, isSale }, removed) => {
        const keep = (fields: Fields) =>
          Object.fromEntries(Object.entries(fields).filter(([name]) => !removed.includes(name)));
        const [walletName, bankName] = isSale ? [source, destination] : [destination, source];
        const orders = {
          [walletName]: keep(wallet),
          [bankName]: { ...keep(bank), currency: "usd" },
        };
        const inner = { ...keep({ settlementMethod: "WIRE" }), ...orders };
        const quantityField = `${source}.quantity`;
        const names = [
          ...(source === "sourceOrder" ? ["settlementMethod"] : []),
          ...(isSale ? [] : [quantityField, `${bankName}.bankAccountId`]),
          `${walletName}.walletId`,
          `${walletName}.blockchain`,
          `${walletName}.currency`,
          ...(isSale ? [quantityField, `${bankName}.bankAccountId`] : []),
        ];
        const missing = names.filter((name) => removed.includes(name.split(".").at(-1) ?? ""));
        expect(faultsOf(path === "" ? inner : { transaction: inner })).toEqual(
          missing.map((name) => `Required field is missing: ${path}${name}`),
        );
      },
    ),
    { numRuns: 600 },
  );
});

test("whatever a body is, it is read or refused in words", () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom("USD", "base", "wal-1", 1e21));
  const order = fc.dictionary(
    fc.constantFrom("walletId", "blockchain", "currency", "quantity", "bankAccountId", "__proto__"),
    value,
  );
  const inner = fc.dictionary(
    fc.constantFrom(
      "sourceOrder",
      "destinationOrder",
      "sellOrder",
      "buyOrder",
      "settlementMethod",
      "quoteId",
    ),
    fc.oneof(order, value),
  );
  fc.assert(
    fc.property(fc.oneof(inner, fc.record({ transaction: inner })), (body) => {
      const faults = faultsOf(body);
      expect(faults.length).toBeLessThanOrEqual(20);
      for (const fault of faults) expect(fault).toMatch(/^\S.{5,}/s);
    }),
    { numRuns: 500 },
  );
});
