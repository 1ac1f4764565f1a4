import { expect, test } from "vitest";
import { useApp } from "../../../test/test-app.ts";

const app = useApp();
const book = (body: object) =>
  app.ask("/operator/ledger/adjustments", {
    method: "POST",
    headers: { apiKey: "slp_sandbox_operator", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const funding = {
  account: "hot:USDC.ethereum",
  quantity: "250.000001",
  direction: "in",
  cause: "owners",
  note: "Filled up from the vault.",
} as const;

test("money of the owners is booked to the unit, and shows in the books and in the audit log", async () => {
  const { operator } = app.as("operator");
  const first = await operator.ledger.adjust(funding);
  const second = await operator.ledger.adjust({ ...funding, direction: "out", cause: "charges" });
  expect(first).toMatchObject({ account: funding.account, quantity: "250.000001" });
  expect([first.balance, second.balance]).toEqual(["100000250.000001", "100000000"]);
  const [newest] = await operator.ledger.entries("loss:USDC.ethereum");
  expect(newest).toMatchObject({ kind: "adjustment", debit: "250.000001" });
  const [line] = await operator.audit.list();
  expect(line).toMatchObject({ action: "ledger.adjust", target: funding.account });
  const [trial] = (await operator.ledger.trialBalance()).filter(({ difference }) =>
    Number(difference),
  );
  expect(trial).toBeUndefined();
});

test("what is sent twice with the same Idempotency-Key is booked once", async () => {
  const { operator } = app.as("operator");
  const options = { idempotencyKey: "fill-up-1" };
  const bank = { ...funding, account: "bank:main:USD", quantity: "0.01" };
  const first = await operator.ledger.adjust(bank, options);
  expect(await operator.ledger.adjust(bank, options)).toEqual(first);
});

test.each([
  [{ ...funding, account: "transaction:txn-1:USD" }, 400, "account must be bank:main:USD"],
  [{ ...funding, account: "hot:DOGE.ethereum" }, 400, "account must be bank:main:USD"],
  [{ ...funding, quantity: "0" }, 400, "quantity must be more than 0"],
  [{ ...funding, quantity: "0.0000001" }, 400, "at most 6 decimals"],
  [{ ...funding, quantity: "a lot" }, 400, "quantity"],
  [{ ...funding, direction: "up" }, 400, "direction must be in"],
  [{ ...funding, quantity: "1000000000", direction: "out" }, 409, "has only"],
])("%o is refused with %i", async (body, status, words) => {
  const answer = await book(body);
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(words)]);
});
