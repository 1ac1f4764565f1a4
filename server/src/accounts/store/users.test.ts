import { expect, test } from "vitest";
import { useDatabase } from "../../../test/test-database.ts";
import { findUserByEmail, insertUser } from "./users.ts";

const held = useDatabase();
const now = new Date(Date.UTC(2026, 0, 1));
const common = { name: "Some Body", verification: "none", now } as const;

test("an e-mail address is there once among the masters, and once among the subaccounts of each", async () => {
  const insert = (id: string, masterId: string | null, email: string) =>
    insertUser(held.db, { ...common, id, masterId, email });
  expect(await insert("usr-1", null, "Ada@example.com")).toBe("inserted");
  expect(await insert("usr-2", null, "ada@EXAMPLE.com")).toBe("email_taken");
  expect(await insert("usr-3", "usr-1", "ada@example.com")).toBe("inserted");
  expect(await insert("usr-4", "usr-1", "ADA@example.com")).toBe("email_taken");
  expect(await insert("usr-5", "usr-3", "ada@example.com")).toBe("inserted");
  expect((await findUserByEmail(held.db, "usr-1", "ADA@EXAMPLE.COM"))?.id).toBe("usr-3");
});

test("an e-mail address that is taken does not end the transaction that finds it so", async () => {
  const found = await held.db.transact(async (tx) => {
    const user = { ...common, id: "usr-6", masterId: null, email: "ada@example.com" };
    expect(await insertUser(tx, user)).toBe("email_taken");
    return findUserByEmail(tx, null, user.email);
  });
  expect(found?.id).toBe("usr-1");
});
