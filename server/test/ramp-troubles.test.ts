import { beforeEach, describe, expect, test } from "vitest";
import { sql, verbatim } from "../src/database/sql.ts";
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

/** The wires in a state: their amount and why they are there. */
async function wiresIn(state: "suspense" | "returned") {
  const wires = await journeys.app.as("operator").operator.wires.list({ state, limit: 1_000 });
  return wires.map(({ amountUsd, reason }) => [amountUsd, reason]).sort();
}

describe("who sent it", () => {
  test("a wire from somebody else goes back or on, as an operator decides", async () => {
    const [back, on] = [await buy(), await buy()];
    for (const id of [back, on]) {
      await wire(id, "0.07");
      await expectAt(id, "IN_REVIEW (third_party_sender)", "stopped");
    }
    expect((await decide(back, "refund")).status).toBe(200);
    await expectAt(back, "REFUND_PENDING (third_party_sender)", "stopped");
    expect((await decide(on, "release")).status).toBe(200);
    await expectAt(on, "FUNDS_RECEIVED", "on its way");
    await pass(10 * minuteS);
    await expectAt(back, "REFUNDED (third_party_sender)", "stopped");
    await expectAt(on, "COMPLETED", "delivered");
    await expectEnded(back, ["created", "funds_received", "flagged", "refunded"]);
    await expectEnded(on, purchaseEvents.toSpliced(2, 0, "flagged", "released"));
  });

  test("crypto from another address is looked at; from a sanctioned one it is frozen", async () => {
    const [unknown, frozen] = [await sell(), await sell()];
    await deposit(unknown, "100", { fromAddress: "0x8617E340B3D01FA5F11F306F4090FD50E238070D" });
    await deposit(frozen, "100", { fromAddress: "0x8617e340b3d01fa5f11f306f4090fd50e238dead" });
    await pass(finality);
    await expectAt(unknown, "IN_REVIEW (unregistered_sender)", "stopped");
    await expectAt(frozen, "IN_REVIEW (sanctioned)", "stopped");
    expect((await decide(frozen, "refund")).status).toBe(409);
    expect((await decide(unknown, "refund")).status).toBe(200);
    await pass(hourS);
    const refunded = await expectAt(unknown, "REFUNDED (unregistered_sender)", "stopped");
    await expectEnded(unknown, ["created", "funds_seen", "funds_received", "flagged", "refunded"]);
    const payouts = (await asOperator("GET", `/operator/transactions/${unknown}`)).body.payouts;
    expect(payouts).toMatchObject([{ purpose: "refund", rail: "chain", state: "settled" }]);
    expect(refunded.completedAt).toBe(null);
    await pass(4 * dayS);
    await expectAt(frozen, "IN_REVIEW (sanctioned)", "stopped");
  });

  test("a wire from somebody sanctioned has to be cleared, and is still from somebody else", async () => {
    const id = await buy();
    await wire(id, "250.50", { senderName: "Sanctioned Person" });
    await expectAt(id, "IN_REVIEW (sanctioned)", "stopped");
    expect((await decide(id, "refund")).status).toBe(409);
    expect((await decide(id, "release")).status).toBe(200);
    await pass(minuteS);
    await expectAt(id, "IN_REVIEW (third_party_sender)", "stopped");
    await decide(id, "refund");
    await pass(hourS);
    await expectAt(id, "REFUNDED (third_party_sender)", "stopped");
    const again = ["flagged", "released", "flagged"];
    await expectEnded(id, ["created", "funds_received", "flagged", ...again, "refunded"]);
  });

  test("wires that belong to nobody, and second ones, lie apart and go back after two open days", async () => {
    const id = await buy();
    await wire(id, "0.05");
    await expectAt(id, "AWAITING_FUNDS", "on its way");
    await wire(id, "250.50");
    await wire(id, "77.77");
    await pass(minuteS);
    await expectAt(id, "COMPLETED", "delivered");
    expect(await wiresIn("suspense")).toEqual([
      ["250.50", "no_reference"],
      ["77.77", "not_expected"],
    ]);
    await pass(6 * dayS);
    await expectAt(id, "COMPLETED", "delivered");
    expect(await wiresIn("suspense")).toEqual([]);
    expect((await wiresIn("returned")).map(([amountUsd]) => amountUsd)).toEqual([
      "250.50",
      "77.77",
    ]);
    await expectEnded(id, purchaseEvents);
  });
});

describe("what comes back", () => {
  test("R03 before completion stops the account, and the money goes to another one", async () => {
    const id = await sell({ accountNumber: "91000003" });
    const silent = await sell({ accountNumber: "92000003" });
    const { destinationOrder } = await expectAt(id, "AWAITING_DEPOSIT", "on its way");
    for (const one of [id, silent]) await deposit(one, "100");
    await pass(4 * dayS);
    for (const one of [id, silent])
      await expectAt(one, "PAYOUT_RETURNED (payout_returned)", "stopped");
    const stopped = await ask("POST", `/v2/ramp/transactions/${id}/bankAccount`, {
      bankAccountId: destinationOrder.bankAccountId,
    });
    expect(stopped).toMatchObject({
      status: 400,
      body: {
        errors: [
          {
            message: `bankAccountId ${destinationOrder.bankAccountId} was stopped after return R03`,
          },
        ],
      },
    });
    const other = await sell();
    const { destinationOrder: good } = await expectAt(other, "AWAITING_DEPOSIT", "on its way");
    const { bankAccountId } = good;
    const replaced = await ask("POST", `/v2/ramp/transactions/${id}/bankAccount`, {
      bankAccountId,
    });
    expect(replaced).toMatchObject({ status: 200, body: { flaggedAt: null } });
    await pass(8 * dayS);
    expect(await expectAt(id, "COMPLETED", "delivered")).toMatchObject({
      destinationOrder: { bankAccountId },
    });
    const [, , , , submitted = "", completed = ""] = saleEvents;
    const untilReturn = [...saleEvents.slice(0, 5), "returned"];
    await expectEnded(id, [...untilReturn, "released", submitted, completed]);
    await pass(10 * dayS);
    await expectAt(silent, "REFUNDED (payout_returned)", "stopped");
    await expectEnded(silent, [...untilReturn, "refunded"]);
  });

  test("R03 after completion is a problem of something delivered, until it is refunded", async () => {
    const id = await sell();
    await deposit(id, "100");
    await pass(8 * dayS);
    const { completedAt } = await expectAt(id, "COMPLETED", "delivered");
    const sent = await ask("POST", "/sandbox/ach-returns", { transactionId: id, code: "R03" });
    expect(sent.status).toBe(201);
    const after = "delivered, then a problem";
    await expectAt(id, "RETURNED_AFTER_COMPLETION (late_return)", after);
    expect((await decide(id, "refund")).status).toBe(200);
    await pass(hourS);
    expect(await expectAt(id, "REFUNDED (late_return)", after)).toMatchObject({ completedAt });
    await expectEnded(id, [...saleEvents, "returned", "refunded"]);
  });

  test("a payout that the bank refuses is tried again, and goes to another account", async () => {
    const id = await sell({ method: "WIRE", accountNumber: "93000099" });
    await deposit(id, "100");
    await pass(dayS);
    await expectAt(id, "PAYOUT_FAILED (payout_refused)", "stopped");
    const { destinationOrder } = await expectAt(await sell(), "AWAITING_DEPOSIT", "on its way");
    const { bankAccountId } = destinationOrder;
    await journeys.passToNoon();
    await ask("POST", `/v2/ramp/transactions/${id}/bankAccount`, { bankAccountId });
    await pass(hourS);
    await expectAt(id, "COMPLETED", "delivered");
    const tries = ["payout_submitted", "flagged", "released"];
    await expectEnded(id, [
      ...saleEvents.slice(0, 4),
      ...tries,
      ...tries,
      ...tries,
      ...saleEvents.slice(4),
    ]);
  });
});

describe("what is stopped", () => {
  test("a kill switch keeps payouts where they are until it is cleared", async () => {
    const body = { name: "rail:chain", reason: "the node is ill" };
    expect((await asOperator("POST", "/operator/killSwitches", body)).status).toBe(201);
    const id = await buy();
    await wire(id, "250.50");
    await pass(5 * minuteS);
    await expectAt(id, "PAYOUT_QUEUED", "on its way");
    expect((await asOperator("DELETE", "/operator/killSwitches/rail:chain")).status).toBe(204);
    await pass(5 * minuteS);
    await expectAt(id, "COMPLETED", "delivered");
    await expectEnded(id, purchaseEvents);
  });

  test("a price that fell after its lock is accepted, or the crypto goes back", async () => {
    const wish = { source: { currency: "ETH", quantity: "1" }, method: "WIRE" } as const;
    const [accepted, left, locked] = [await sell(wish), await sell(wish), await sell(wish)];
    await deposit(locked, "1");
    await pass(16 * minuteS);
    journeys.moveMarket({ percent: 90n });
    for (const id of [accepted, left]) await deposit(id, "1");
    await pass(finality);
    for (const id of [accepted, left]) await expectAt(id, "IN_REVIEW (price_moved)", "stopped");
    expect((await ask("POST", `/v2/ramp/transactions/${accepted}/accept`, {})).status).toBe(200);
    await pass(2 * dayS);
    journeys.moveMarket({ percent: 100n });
    for (const [id, quantity] of [
      [accepted, "3125.00"],
      [locked, "3475.00"],
    ] as const) {
      expect(await expectAt(id, "COMPLETED", "delivered")).toMatchObject({
        destinationOrder: { quantity },
      });
    }
    await expectAt(left, "REFUNDED (price_moved)", "stopped");
    await expectEnded(accepted, saleEvents.toSpliced(3, 0, "flagged", "released"));
    await expectEnded(left, ["created", "funds_seen", "funds_received", "flagged", "refunded"]);
  });
});

test("every event came once, signed", async () => {
  await pass(minuteS);
  await journeys.expectAllDelivered();
});

/** As a word of its own or as bytes; inside a longer number, such as an id, the same digits are chance. */
function holds(text: string, secret: string): boolean {
  const word = new RegExp(`(?<![0-9a-f])${secret.replace("+", "\\+")}(?![0-9a-f])`);
  return word.test(text) || text.includes(Buffer.from(secret).toString("hex"));
}

test("account numbers, phones and senders are in no log, and in no table that anybody could read", async () => {
  const { app } = journeys;
  const accounts = await app.as("master").ramp.bankAccounts.list();
  const secrets = [
    ...accounts.map(({ accountNumber }) => accountNumber),
    ...accounts.map(({ billingDetails }) => billingDetails.phone),
    "Sanctioned Person",
  ];
  expect(accounts.length).toBeGreaterThan(5);
  const tables = await app.db.query<{ name: string }>(sql`
    select tablename as name from pg_tables
    where schemaname = 'public' and tablename not like 'sandbox%'`);
  const places = [["the log", app.lines.join("\n")]];
  for (const { name } of tables) {
    const rows = await app.db.query<{ row: string }>(
      sql`select t::text as row from ${verbatim(name)} t`,
    );
    places.push([name, rows.map(({ row }) => row).join("\n")]);
  }
  expect(places.map(([name]) => name)).toContain("bank_accounts");
  const found = places.flatMap(([name, text = ""]) =>
    secrets.filter((secret) => holds(text, secret)).map((secret) => `${secret} in ${name}`),
  );
  expect(found).toEqual([]);
});
