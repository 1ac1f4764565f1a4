import { beforeAll, describe, expect, test } from "vitest";
import { achLine, routingNumber, wireLine } from "../../../test/fed-lines.ts";
import { manualClock } from "../../../test/manual-clock.ts";
import { useDatabase } from "../../../test/test-database.ts";
import { insertUser } from "../../accounts/store/users.ts";
import { systemRandom as random } from "../../lib/random.ts";
import { openSealer } from "../../lib/seal.ts";
import { insertBankAccount, openDestination, readBankAccount } from "../store/bank-accounts.ts";
import { canReceive, findBank, unknownBank } from "./directory.ts";
import { importDirectory } from "./import-directory.ts";

const held = useDatabase();
const clock = manualClock(Date.UTC(2026, 10, 15));
const now = () => new Date(clock.now());
const sealer = openSealer({ keys: [Buffer.alloc(32, 1)], digestKey: Buffer.alloc(32), random });

const chase = "021000021";
const [harbour, meadow, dune] = ["01109991", "32109992", "02109993"].map(routingNumber) as [
  string,
  string,
  string,
];
const userId = "usr-1";
const holder = {
  line1: "1 Wall Street",
  line2: null,
  city: "New York",
  province: "NY",
  country: "UNITED_STATES",
  fullName: "Ada Lovelace",
  phone: "+12125550123",
  postalCode: "10005",
};

const bank = (number: string) => findBank(held.db, number, now());
const receives = async (number: string) => [
  await canReceive(held.db, number, "ACH", now()),
  await canReceive(held.db, number, "WIRE", now()),
];
const register = (id: `bac-${string}`, number: string) =>
  held.db.transact(async (tx) =>
    insertBankAccount(
      tx,
      { sealer },
      {
        id,
        userId,
        routingNumber: number,
        accountNumber: "000123456789",
        accountType: "checking",
        holder,
        bankName: "UNKNOWN",
        bankAddress: unknownBank.address,
        now: now(),
      },
    ),
  );

beforeAll(async () => {
  const person = { name: "Ada Lovelace", email: "ada@example.com", verification: "none" } as const;
  await insertUser(held.db, { id: userId, masterId: null, ...person, now: now() });
});

// Each of these goes on from where the one before left the directories.
describe("without a directory", () => {
  test("well-known banks are known, and how they are paid", async () => {
    expect(await bank(chase)).toMatchObject({ name: "JPMORGAN CHASE BANK, NA" });
    expect(await receives(chase)).toEqual([true, true]);
    expect(await receives("021000322")).toEqual([true, false]);
  });

  test("any other may be one, too", async () => {
    expect(await bank(harbour)).toEqual({
      name: "UNKNOWN",
      address: { line1: "", line2: null, city: "", province: "", country: "UNITED_STATES" },
    });
    expect(await receives(harbour)).toEqual([true, true]);
  });
});

describe("with a fresh FedACH file", () => {
  test("registered accounts get the name of their bank", async () => {
    await register("bac-1", harbour);
    await register("bac-2", meadow);
    await register("bac-3", dune);
    clock.advance(1_000);
    const text = [
      achLine({ routingNumber: harbour, name: "HARBOUR BANK" }),
      achLine({ routingNumber: meadow, recordType: "2", newRoutingNumber: harbour, name: "GONE" }),
    ].join("\n");
    const file = { kind: "ach", text, publishedOn: "2026-11-14" } as const;
    expect(await importDirectory({ db: held.db, clock }, file)).toEqual({ banks: 2, accounts: 2 });
    expect(await importDirectory({ db: held.db, clock }, file)).toEqual({ banks: 2, accounts: 0 });
    const account = await readBankAccount(held.db, { sealer }, userId, "bac-2");
    expect(account).toMatchObject({
      bankName: "HARBOUR BANK",
      bankAddress: { line1: "1 QUAY STREET", city: "PORTSTADT", province: "ME" },
      bankUpdatedAt: now(),
    });
  });

  test("it takes the place of the well-known banks, and what it has not is none", async () => {
    expect(await bank(harbour)).toMatchObject({ name: "HARBOUR BANK" });
    expect(await bank(dune)).toBeUndefined();
    expect(await canReceive(held.db, dune, "ACH", now())).toBe(false);
    expect(await canReceive(held.db, chase, "ACH", now())).toBe(false);
    expect(await canReceive(held.db, chase, "WIRE", now())).toBe(true);
  });

  test("ACH goes to the number that replaced another; wires go where the customer said", async () => {
    const open = (rail: "ach" | "wire") => openDestination(held.db, { sealer }, "bac-2", rail);
    expect(await open("ach")).toEqual({
      routingNumber: harbour,
      accountNumber: "000123456789",
      accountType: "checking",
      holderName: "Ada Lovelace",
    });
    expect(await open("wire")).toMatchObject({ routingNumber: meadow });
    expect(await canReceive(held.db, meadow, "ACH", now())).toBe(true);
  });
});

describe("with a fresh Fedwire file as well", () => {
  test("each method is looked up in its own list", async () => {
    const text = [
      wireLine({ routingNumber: dune, name: "DUNE BANK" }),
      wireLine({ routingNumber: meadow, name: "MEADOW", transfers: "N" }),
    ].join("\n");
    const file = { kind: "wire", text, publishedOn: "2026-11-14" } as const;
    expect(await importDirectory({ db: held.db, clock }, file)).toEqual({ banks: 2, accounts: 1 });
    expect(await receives(harbour)).toEqual([true, false]);
    expect(await receives(meadow)).toEqual([true, false]);
    expect(await receives(dune)).toEqual([false, true]);
    expect(await bank(dune)).toMatchObject({ name: "DUNE BANK", address: { line1: "" } });
  });
});

describe("with directories that are older than thirty days", () => {
  test("what they have not may be new", async () => {
    clock.advance(31 * 86_400_000);
    expect(await bank(chase)).toEqual(unknownBank);
    expect(await receives(chase)).toEqual([true, true]);
    expect(await receives(meadow)).toEqual([true, false]);
  });
});

test.each(["2027-11-14", "yesterday"])("a file cannot be of %s", async (publishedOn) => {
  const text = achLine({ routingNumber: harbour });
  await expect(
    importDirectory({ db: held.db, clock }, { kind: "ach", text, publishedOn }),
  ).rejects.toThrow(publishedOn);
});

test("a file that is refused leaves the directory as it was", async () => {
  const text = `${achLine({ routingNumber: dune })}\nnonsense`;
  const file = { kind: "ach", text, publishedOn: "2026-11-14" } as const;
  await expect(importDirectory({ db: held.db, clock }, file)).rejects.toThrow("Line 2");
  expect(await bank(harbour)).toMatchObject({ name: "HARBOUR BANK" });
});
