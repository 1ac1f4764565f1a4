import { beforeEach, describe, expect, test } from "vitest";
import {
  dayS,
  finality,
  hourS,
  minuteS,
  purchaseEvents,
  saleEvents,
  useJourneys,
} from "./ramp-journeys/journeys.ts";

const journeys = useJourneys();
const { sell, buy, deposit, wire, pass, expectAt, expectEnded, ask, asOperator, decide } = journeys;

beforeEach(() => journeys.passToNoon());

describe("what goes well", () => {
  test("a sale by ACH is sent at five, and delivered when no bank can send it back any more", async () => {
    const id = await sell();
    await expectAt(id, "AWAITING_DEPOSIT", "on its way");
    await deposit(id, "100");
    await expectAt(id, "DEPOSIT_SEEN", "on its way");
    await pass(finality);
    const queued = await expectAt(id, "PAYOUT_QUEUED", "on its way");
    expect(queued).toMatchObject({ priceUsd: "1", feeUsd: "0.00", settlementMethod: "ACH" });
    await pass(6 * hourS);
    await expectAt(id, "PAYOUT_SUBMITTED", "on its way");
    await pass(2 * dayS);
    await expectAt(id, "PAYOUT_SUBMITTED", "on its way");
    await pass(4 * dayS);
    const done = await expectAt(id, "COMPLETED", "delivered");
    expect(done).toMatchObject({
      completedAt: "2026-04-21T04:00:00.000",
      sourceOrder: { quantity: "100" },
      destinationOrder: { quantity: "100.00" },
    });
    await expectEnded(id, saleEvents);
  });

  test("a sale by wire, asked for in the older shape, arrives the same day less its fee", async () => {
    const { body } = await ask("GET", "/v2/ramp/transactions");
    const [{ sourceOrder, destinationOrder }] = body as unknown as [
      { sourceOrder: { walletId: string }; destinationOrder: { bankAccountId: string } },
    ];
    const created = await ask("POST", "/v2/ramp/transactions", {
      transaction: {
        settlementMethod: "WIRE",
        sellOrder: {
          walletId: sourceOrder.walletId,
          blockchain: "base",
          currency: "ETH",
          quantity: "0.5",
        },
        buyOrder: { bankAccountId: destinationOrder.bankAccountId, currency: "USD" },
      },
    });
    expect(created).toMatchObject({
      status: 201,
      body: { type: "OFF_RAMP", buyOrder: { walletAddress: expect.stringMatching(/^0x/) } },
    });
    const id = String(created.body.id);
    await expectAt(id, "AWAITING_DEPOSIT", "on its way");
    await deposit(id, "0.5");
    await pass(finality);
    await expectAt(id, "PAYOUT_SUBMITTED", "on its way");
    await pass(10 * minuteS);
    expect(await expectAt(id, "COMPLETED", "delivered")).toMatchObject({
      priceUsd: "3500",
      feeUsd: "25.00",
      destinationOrder: { quantity: "1725.00" },
    });
    await expectEnded(id, saleEvents);
  });

  test("a purchase by wire is priced when the wire is there", async () => {
    const id = await buy({ source: { quantity: "500" }, destination: { currency: "ETH" } });
    expect(await expectAt(id, "AWAITING_FUNDS", "on its way")).toMatchObject({
      destinationOrder: { quantity: null },
    });
    await wire(id, "500.00");
    await expectAt(id, "PAYOUT_SUBMITTED", "on its way");
    await pass(minuteS);
    expect(await expectAt(id, "COMPLETED", "delivered")).toMatchObject({
      type: "ON_RAMP",
      priceUsd: "3500",
      feeUsd: "0.00",
      sourceOrder: { quantity: "500.00" },
      destinationOrder: { quantity: "0.142857142857142857" },
    });
    await expectEnded(id, purchaseEvents);
  });

  test("a master buys for a subaccount once that is verified", async () => {
    const { body } = await ask("POST", "/v2/ramp/subaccounts", {
      name: "Ada Lovelace",
      email: "ada@example.com",
    });
    const userId = String(body.newSubAccountId);
    const refused = await ask("POST", "/v2/ramp/transactions", {
      settlementMethod: "WIRE",
      sourceOrder: { bankAccountId: "bac-1", currency: "USD", quantity: "100" },
      destinationOrder: { walletId: "wal-1", blockchain: "base", currency: "USDC" },
      userId,
    });
    expect(refused.text).toBe(
      '{"errors":[{"message":"Account is not verified. Please contact support."}],"code":403}',
    );
    await ask("POST", "/sandbox/verification", { userId, status: "approved" });
    const id = await buy({ userId });
    await wire(id, "250.50");
    await pass(minuteS);
    expect(await expectAt(id, "COMPLETED", "delivered")).toMatchObject({ userId });
    await expectEnded(id, purchaseEvents);
  });
});

describe("what comes too late or not at all", () => {
  test("nothing comes: both kinds expire, and what comes afterwards is taken at today's price", async () => {
    const sale = await sell({ source: { currency: "ETH", quantity: "1" }, method: "WIRE" });
    const purchase = await buy();
    await pass(8 * dayS);
    await expectAt(sale, "EXPIRED (expired)", "stopped");
    await expectAt(purchase, "EXPIRED (expired)", "stopped");
    await journeys.passToNoon();
    await deposit(sale, "1");
    await expectAt(sale, "DEPOSIT_SEEN (expired)", "stopped");
    await wire(purchase, "250.50");
    await pass(2 * hourS);
    expect(await expectAt(sale, "COMPLETED", "delivered")).toMatchObject({
      destinationOrder: { quantity: "3475.00" },
    });
    await expectAt(purchase, "COMPLETED", "delivered");
    const [, ...paid] = saleEvents;
    await expectEnded(sale, ["created", "expired", ...paid.toSpliced(1, 0, "released")]);
    const [, ...bought] = purchaseEvents;
    await expectEnded(purchase, ["created", "expired", "released", ...bought]);
  });

  test("canceled: a purchase's late wire goes back, late crypto is sold", async () => {
    const [sale, late] = [await sell(), await sell({ method: "WIRE" })];
    const purchase = await buy();
    for (const id of [sale, late, purchase]) {
      expect((await ask("POST", `/v2/ramp/transactions/${id}/cancel`, {})).status).toBe(200);
      await expectAt(id, "CANCELED (canceled)", "stopped");
    }
    await wire(purchase, "250.50");
    await expectAt(purchase, "REFUND_SUBMITTED (late_funds)", "stopped");
    const again = await ask("POST", `/v2/ramp/transactions/${purchase}/cancel`, {});
    expect(again).toMatchObject({
      status: 409,
      body: { errors: [{ message: `Transaction ${purchase} can no longer be canceled` }] },
    });
    await deposit(late, "100");
    await expectAt(late, "DEPOSIT_SEEN (canceled)", "stopped");
    await pass(hourS);
    await expectAt(late, "COMPLETED", "delivered");
    await expectAt(purchase, "REFUNDED (late_funds)", "stopped");
    await expectEnded(purchase, ["created", "canceled", "funds_received", "flagged", "refunded"]);
    await expectEnded(sale, ["created", "canceled"]);
    const [, seen = "", ...paid] = saleEvents;
    await expectEnded(late, ["created", "canceled", seen, "released", ...paid]);
  });

  test("a block that is taken back is waited for again", async () => {
    const id = await sell();
    await deposit(id, "100");
    expect((await ask("POST", "/sandbox/reorgs", { transactionId: id })).status).toBe(201);
    await expectAt(id, "AWAITING_DEPOSIT", "on its way");
    await ask("POST", `/v2/ramp/transactions/${id}/cancel`, {});
    await pass(minuteS);
    await expectEnded(id, ["created", "funds_seen", "canceled"]);
  });
});

describe("what is too little, too much, or something else", () => {
  test("deposits: short and over are sold as they are; too little is topped up or goes back", async () => {
    const [short, over, topped, left] = [
      await sell({ method: "WIRE" }),
      await sell({ method: "WIRE" }),
      await sell({ method: "WIRE" }),
      await sell({ method: "WIRE" }),
    ];
    await deposit(short, "90");
    await deposit(over, "110.5");
    await deposit(topped, "20");
    await deposit(left, "20");
    await pass(finality);
    for (const id of [topped, left]) await expectAt(id, "IN_REVIEW (below_minimum)", "stopped");
    await deposit(topped, "30");
    await pass(2 * hourS);
    for (const [id, source, destination] of [
      [short, "90", "65.00"],
      [over, "110.5", "85.50"],
      [topped, "50", "25.00"],
    ] as const) {
      expect(await expectAt(id, "COMPLETED", "delivered")).toMatchObject({
        sourceOrder: { quantity: source },
        destinationOrder: { quantity: destination },
      });
    }
    const adjusted = saleEvents.toSpliced(3, 0, "amount_adjusted");
    await expectEnded(short, adjusted);
    await expectEnded(over, adjusted);
    const counted = ["funds_seen", "funds_received", "amount_adjusted"];
    const paid = saleEvents.slice(3);
    await expectEnded(topped, [
      "created",
      ...counted,
      "flagged",
      "funds_seen",
      "released",
      ...counted.slice(1),
      ...paid,
    ]);
    await pass(dayS);
    await expectAt(left, "REFUNDED (below_minimum)", "stopped");
    await expectEnded(left, [
      "created",
      "funds_seen",
      "funds_received",
      "amount_adjusted",
      "flagged",
      "refunded",
    ]);
  });

  test("wires: less and more than asked for buy less and more; too little goes back", async () => {
    const [short, over, little] = [await buy(), await buy(), await buy()];
    await wire(short, "0.01");
    await wire(over, "0.03");
    await wire(little, "5.00");
    await pass(10 * minuteS);
    expect(await expectAt(short, "COMPLETED", "delivered")).toMatchObject({
      sourceOrder: { quantity: "225.45" },
      destinationOrder: { quantity: "225.45" },
    });
    expect(await expectAt(over, "COMPLETED", "delivered")).toMatchObject({
      sourceOrder: { quantity: "275.55" },
    });
    await expectAt(little, "REFUNDED (below_minimum)", "stopped");
    const adjusted = purchaseEvents.toSpliced(2, 0, "amount_adjusted");
    await expectEnded(short, adjusted);
    await expectEnded(over, adjusted);
    await expectEnded(little, [
      "created",
      "funds_received",
      "amount_adjusted",
      "flagged",
      "refunded",
    ]);
  });

  test("more than a token's most is looked at, and goes on when an operator says so", async () => {
    const id = await sell({ source: { currency: "ETH", quantity: "900" }, method: "WIRE" });
    await deposit(id, "1000.5");
    await pass(finality);
    await expectAt(id, "IN_REVIEW (above_maximum)", "stopped");
    expect(await decide(id, "release")).toMatchObject({ status: 200, body: { flaggedAt: null } });
    await pass(hourS);
    await expectAt(id, "COMPLETED", "delivered");
    await expectEnded(id, saleEvents.toSpliced(3, 0, "amount_adjusted", "flagged", "released"));
  });

  test("another token lies apart and goes back; the right one is still waited for", async () => {
    const id = await sell({ method: "WIRE" });
    await deposit(id, "50", { currency: "DAI" });
    await pass(finality);
    await expectAt(id, "AWAITING_DEPOSIT (wrong_token)", "stopped");
    await deposit(id, "100");
    await expectAt(id, "DEPOSIT_SEEN", "on its way");
    await pass(hourS);
    await expectAt(id, "COMPLETED", "delivered");
    await pass(5 * dayS);
    const { body } = await asOperator("GET", "/operator/deposits?use=returned");
    expect(body).toMatchObject([{ transactionId: id, currency: "DAI", quantity: "50" }]);
    const [, ...rest] = saleEvents;
    await expectAt(id, "COMPLETED", "delivered");
    await expectEnded(id, ["created", "flagged", ...rest.toSpliced(0, 0, "released")]);
  });
});

test("lists hold what was asked for one by one, in both shapes", async () => {
  await journeys.expectSameInLists();
});

test("every event came once, signed, and the books are sound to the end", async () => {
  await pass(minuteS);
  await journeys.expectAllDelivered();
  const { body } = await asOperator("GET", "/operator/ledger/trialBalance");
  const balances = body as unknown as { difference: string }[];
  expect(balances.length).toBeGreaterThan(2);
  expect(balances.filter(({ difference }) => Number(difference) !== 0)).toEqual([]);
});
