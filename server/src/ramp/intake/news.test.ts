import { beforeEach, describe, expect, test } from "vitest";
import {
  balancesOf,
  createPurchase,
  createSale,
  day,
  expectSound,
  find,
  minute,
  pass,
  run,
  settleNewest,
  step,
  transferTo,
  useWorld,
  wireOf,
} from "../../../test/ramp-world.ts";
import { sql } from "../../database/sql.ts";
import { asCents, asUnits } from "../../lib/money.ts";
import { matchWire, returnDeposit, returnWire } from "../incoming.ts";
import type { Notice } from "../ports.ts";

const world = useWorld();
const operator = "operator:key1";

beforeEach(() => {
  world.ports.sanctioned = new Set();
});

/** Tells notices and does everything that follows. */
async function hear(...notices: Notice[]): Promise<void> {
  for (const notice of notices) world.ports.tell(notice);
  await run(world);
}

async function wireRow(bankReference: string) {
  const [row] = await world.db.query<{ id: string; state: string; reason: string | null }>(sql`
    select id, state, reason from incoming_wires where bank_reference = ${bankReference}`);
  return row;
}

async function depositRow(transactionHash: string) {
  const [row] = await world.db.query<{
    id: string;
    state: string;
    use: string;
    reason: string;
  }>(sql`
    select id, state, use, reason from deposits where transaction_hash = ${transactionHash}`);
  return row;
}

/** Confirms every payment that has not been confirmed. */
async function settleAll(): Promise<void> {
  const rows = await world.db.query<{ id: `pay-${string}` }>(sql`
    select id from payouts where state = 'submitted'`);
  const at = world.clock.now();
  await hear(
    ...rows.map(({ id }) => ({ kind: "payout_settled", reference: id, trace: null, at }) as const),
  );
}

describe("a wire", () => {
  /** One character wrong, one missing, one too many, two swapped. */
  const mistakes: [name: string, write: (reference: string) => string][] = [
    [
      "as it should",
      (reference) => `/RFB/RMP ${reference.slice(0, 4)} ${reference.slice(4)} THANKS`,
    ],
    ["in small letters with dashes", (reference) => [...reference.toLowerCase()].join("-")],
    [
      "with a character missing",
      (reference) => `RMP ${reference.slice(0, 3)}${reference.slice(4)}`,
    ],
    ["with a character too many", (reference) => `${reference.slice(0, 3)}Z${reference.slice(3)}`],
    [
      "with a wrong character",
      (reference) =>
        `${reference.slice(0, 5)}${reference[5] === "Z" ? "Y" : "Z"}${reference.slice(6)}`,
    ],
  ];

  test.each(mistakes)(
    "finds its transaction when the reference is written %s",
    async (_, write) => {
      const { id, reference } = await createPurchase(world);
      const wire = wireOf(world, ["something", write(reference)]);
      await hear(wire);
      expect(await find(world, id)).toMatchObject({ state: "PAYOUT_SUBMITTED", isLate: false });
      expect(await wireRow(wire.bankReference)).toMatchObject({ state: "matched", reason: null });
      await settleNewest(world, id);
    },
  );

  test("that is told three times counts once", async () => {
    const { id, reference } = await createPurchase(world);
    const wire = wireOf(world, [reference]);
    world.ports.repeat(wire);
    await hear(wire);
    world.ports.repeat(wire);
    await run(world);
    expect(await find(world, id)).toMatchObject({ cents: 100_00n });
    await settleNewest(world, id);
    await expectSound(world);
  });

  test("of somebody else is reviewed", async () => {
    const { id, reference } = await createPurchase(world);
    await hear(wireOf(world, [reference], { senderName: "GRACE HOPPER" }));
    expect(await find(world, id)).toMatchObject({ reason: "third_party_sender" });
    await step(world, id, { kind: "released", by: operator, note: null });
    await run(world);
    await settleNewest(world, id);
    expect(await find(world, id)).toMatchObject({ state: "COMPLETED" });
  });

  test("without a reference, with an unknown one, with two, or a second one lies in suspense", async () => {
    const [one, other] = [await createPurchase(world), await createPurchase(world)];
    const unknown = await createPurchase(world);
    await world.db.query(sql`
      update ramp_transactions set reference = 'ZZZZZZZZZZ0' where id = ${unknown.id}`);
    const wires = {
      no_reference: wireOf(world, ["HELLO"]),
      unknown_reference: wireOf(world, [unknown.reference]),
      several_references: wireOf(world, [one.reference, other.reference]),
    };
    await hear(...Object.values(wires));
    for (const [reason, { bankReference }] of Object.entries(wires))
      expect(await wireRow(bankReference)).toMatchObject({ state: "suspense", reason });
    const [first, second] = [wireOf(world, [one.reference]), wireOf(world, [one.reference])];
    await hear(first, second);
    expect(await wireRow(first.bankReference)).toMatchObject({ state: "matched" });
    const lying = { state: "suspense", reason: "not_expected" };
    expect(await wireRow(second.bankReference)).toMatchObject(lying);
    expect((await balancesOf(world))["suspense:USD"]).toBe(400_00n);
    await expectSound(world);

    await settleNewest(world, one.id);
    await pass(world, 5 * day);
    await settleAll();
    expect(await wireRow(second.bankReference)).toMatchObject({ state: "returned" });
    expect((await balancesOf(world))["suspense:USD"]).toBeUndefined();
    await expectSound(world);
  });

  test("in suspense is matched by an operator, once", async () => {
    const { id } = await createPurchase(world);
    const wire = wireOf(world, ["I forgot it"]);
    await hear(wire);
    const wireId = (await wireRow(wire.bankReference))?.id ?? "";
    const match = () =>
      world.db.transact((tx) => matchWire(tx, world.context, wireId, id, operator));
    await match();
    await expect(match()).rejects.toMatchObject({ fault: "conflict" });
    await run(world);
    expect(await wireRow(wire.bankReference)).toMatchObject({ state: "matched" });
    await settleNewest(world, id);
    expect(await find(world, id)).toMatchObject({ state: "COMPLETED" });
    await expectSound(world);
  });

  test("that a transaction cannot take stays where it is, and unknown ones are not found", async () => {
    const sale = await createSale(world);
    const wire = wireOf(world, ["nothing"]);
    await hear(wire);
    const wireId = (await wireRow(wire.bankReference))?.id ?? "";
    const match = (one: string, transaction: string) =>
      world.db.transact((tx) => matchWire(tx, world.context, one, transaction, operator));
    await expect(match(wireId, sale.id)).rejects.toMatchObject({ fault: "conflict" });
    await expect(match("wir-404", sale.id)).rejects.toMatchObject({ fault: "not_found" });
    await expect(match(wireId, "txn-404")).rejects.toMatchObject({ fault: "not_found" });
    expect(await wireRow(wire.bankReference)).toMatchObject({ state: "suspense" });
    await world.db.transact((tx) => returnWire(tx, world.context, wireId, operator));
    await run(world);
    await settleAll();
    expect(await wireRow(wire.bankReference)).toMatchObject({ state: "returned" });
    await expectSound(world);
  });

  test("of a sanctioned sender is frozen, matched or not, and screening that is down is asked later", async () => {
    const { id, reference } = await createPurchase(world);
    const bad = { senderName: "BAD ACTOR" };
    const [unmatched, late] = [wireOf(world, ["none"], bad), wireOf(world, ["none"], bad)];
    world.ports.sanctioned = undefined;
    await hear(late);
    world.ports.sanctioned = new Set(["BAD ACTOR"]);
    await hear(unmatched, wireOf(world, [reference], bad));
    expect(await find(world, id)).toMatchObject({ state: "IN_REVIEW", reason: "sanctioned" });
    await pass(world, 7 * day);
    for (const { bankReference } of [unmatched, late]) {
      const row = await wireRow(bankReference);
      expect(row).toMatchObject({ state: "suspense", reason: "sanctioned" });
      const back = world.db.transact((tx) =>
        returnWire(tx, world.context, row?.id ?? "", operator),
      );
      await expect(back).rejects.toMatchObject({ fault: "conflict" });
    }
    await expectSound(world);
  });
});

describe("a deposit", () => {
  test("counts once, however its news are repeated and ordered", async () => {
    const sale = await createSale(world);
    const seen = transferTo(world, sale);
    const final = { ...seen, kind: "deposit_final", at: seen.at + minute } as const;
    world.ports.repeat(final);
    await hear(final);
    world.ports.repeat(seen);
    world.ports.repeat({ ...seen, kind: "deposit_gone" });
    await run(world);
    expect(await find(world, sale.id)).toMatchObject({
      state: "PAYOUT_QUEUED",
      units: 100_000_000n,
    });
    expect(await depositRow(seen.transactionHash)).toMatchObject({
      state: "final",
      use: "credited",
    });
    await expectSound(world);
  });

  test("that a reorganisation takes back is waited for again, also when the news come in the wrong order", async () => {
    const sale = await createSale(world);
    const seen = transferTo(world, sale);
    await hear(seen);
    expect(await find(world, sale.id)).toMatchObject({ state: "DEPOSIT_SEEN" });
    await hear({ ...seen, kind: "deposit_gone", at: seen.at + minute });
    expect(await find(world, sale.id)).toMatchObject({ state: "AWAITING_DEPOSIT" });
    await hear({ ...seen, at: seen.at + 1 });
    expect(await find(world, sale.id)).toMatchObject({ state: "AWAITING_DEPOSIT" });
    await hear({ ...seen, at: seen.at + 2 * minute });
    expect(await find(world, sale.id)).toMatchObject({ state: "DEPOSIT_SEEN" });

    const other = transferTo(world, await createSale(world));
    await hear({ ...other, kind: "deposit_gone", at: other.at + minute }, other);
    expect(await depositRow(other.transactionHash)).toMatchObject({ state: "gone" });
    await expectSound(world);
  });

  test("that is taken back twice stays so, also when its second block is told of last", async () => {
    const sale = await createSale(world);
    const seen = transferTo(world, sale);
    const taken = { ...seen, kind: "deposit_gone" } as const;
    await hear(seen, { ...taken, at: seen.at + 1 }, { ...taken, at: seen.at + 3 });
    await hear({ ...seen, at: seen.at + 2 });
    expect(await find(world, sale.id)).toMatchObject({ state: "AWAITING_DEPOSIT", deposits: {} });
    expect(await depositRow(seen.transactionHash)).toMatchObject({ state: "gone" });
  });

  test("from another wallet is reviewed, and the registered one is known in any case of letters", async () => {
    const [one, other] = [await createSale(world), await createSale(world)];
    const kind = "deposit_final";
    await hear(
      transferTo(world, one, { kind, fromAddress: one.walletAddress.toLowerCase() }),
      transferTo(world, other, {
        kind,
        fromAddress: "0xEveryoneElse",
        address: other.depositAddress.toLowerCase(),
      }),
    );
    expect(await find(world, one.id)).toMatchObject({ state: "PAYOUT_QUEUED" });
    expect(await find(world, other.id)).toMatchObject({ reason: "unregistered_sender" });
  });

  test("of a sanctioned sender freezes its transaction: nothing goes out and nothing goes back", async () => {
    const [known, unknown] = [await createSale(world), await createSale(world)];
    const evil = { kind: "deposit_final", fromAddress: "0xEvil" } as const;
    const refund = { kind: "refund_ordered", by: operator, note: null, priceE18: null } as const;
    world.ports.sanctioned = new Set(["0xEvil"]);
    await hear(transferTo(world, known, evil));
    expect(await find(world, known.id)).toMatchObject({ reason: "sanctioned" });
    const back = step(world, known.id, { ...refund, gasUnits: asUnits(0n) });
    await expect(back).rejects.toMatchObject({ fault: "conflict" });

    world.ports.sanctioned = undefined;
    await hear(transferTo(world, unknown, evil));
    expect(await find(world, unknown.id)).toMatchObject({ reason: "unregistered_sender" });
    await step(world, unknown.id, { ...refund, gasUnits: asUnits(0n) });
    await pass(world, minute);
    expect(await find(world, unknown.id)).toMatchObject({ state: "REFUND_PENDING" });
    world.ports.sanctioned = new Set(["0xEvil"]);
    await pass(world, minute);
    for (const { id } of [known, unknown]) {
      const frozen = { state: "IN_REVIEW", reason: "sanctioned", heldUnits: 100_000_000n };
      expect(await find(world, id)).toMatchObject(frozen);
    }
    await expectSound(world);
  });

  test("after the sale and of another token lie in suspense and go back less the network's fee", async () => {
    const sale = await createSale(world);
    const kind = "deposit_final";
    await hear(transferTo(world, sale, { kind }));
    const second = transferTo(world, sale, { kind });
    const wrong = transferTo(world, sale, { currency: "ETH", units: asUnits(10n ** 18n) });
    await hear(second, wrong);
    await hear({ ...wrong, kind, at: wrong.at + minute });
    expect(await depositRow(second.transactionHash)).toMatchObject({ use: "suspense" });
    expect(await depositRow(wrong.transactionHash)).toMatchObject({ reason: "wrong_token" });
    await expectSound(world);
    const id = (await depositRow(wrong.transactionHash))?.id ?? "";
    const back = () => world.db.transact((tx) => returnDeposit(tx, world.context, id, operator));
    await back();
    await expect(back()).rejects.toMatchObject({ fault: "conflict" });
    await pass(world, 5 * day);
    await settleAll();
    for (const { transactionHash } of [second, wrong])
      expect(await depositRow(transactionHash)).toMatchObject({ use: "returned" });
    const left = await balancesOf(world);
    expect(left["suspense:USDC.base"]).toBeUndefined();
    expect(left["suspense:ETH.base"]).toBeUndefined();
    expect(left["fees:ETH.base"]).toBeGreaterThan(0n);
    // It went back out of the hot wallet; what came still lies where it came to.
    expect(left["unswept:ETH.base"]).toBe(-(10n ** 18n));
    await expectSound(world);
  });

  test("of nothing, or to an address that is not ours, is left alone", async () => {
    const sale = await createSale(world);
    await hear(transferTo(world, sale, { units: asUnits(0n) }));
    expect(await find(world, sale.id)).toMatchObject({ state: "AWAITING_DEPOSIT" });
    await hear(transferTo(world, { ...sale, depositAddress: "0xNobody" }));
    expect(world.lines.join()).toContain("is not ours");
  });

  test("too small to pay for its way back is kept", async () => {
    const sale = await createSale(world);
    const kind = "deposit_final";
    await hear(transferTo(world, sale, { kind }));
    const tiny = transferTo(world, sale, { kind, units: asUnits(1n) });
    await hear(tiny);
    await pass(world, 5 * day);
    expect(await depositRow(tiny.transactionHash)).toMatchObject({
      use: "suspense",
      reason: "dust",
    });
    const id = (await depositRow(tiny.transactionHash))?.id ?? "";
    const back = world.db.transact((tx) => returnDeposit(tx, world.context, id, operator));
    await expect(back).rejects.toMatchObject({ fault: "conflict" });
  });
});

describe("a return that does not arrive", () => {
  test("lies in suspense again", async () => {
    const wire = wireOf(world, ["no reference at all"], { cents: asCents(7_77n) });
    await hear(wire);
    const wireId = (await wireRow(wire.bankReference))?.id ?? "";
    const send = async () => {
      await world.db.transact((tx) => returnWire(tx, world.context, wireId, operator));
      await run(world);
      const [row] = await world.db.query<{ id: `pay-${string}` }>(sql`
        select id from payouts where wire_id = ${wireId} and state = 'submitted'`);
      return { reference: row?.id ?? "pay-0", at: world.clock.now() } as const;
    };
    await hear({ kind: "payout_failed", why: "account closed", ...(await send()) });
    expect(await wireRow(wire.bankReference)).toMatchObject({ state: "suspense" });
    await expectSound(world);
    const again = await send();
    await hear({ kind: "payout_settled", trace: null, ...again });
    await hear({ kind: "payout_returned", code: "refused", ...again });
    expect(await wireRow(wire.bankReference)).toMatchObject({ reason: "return_came_back" });
    await expectSound(world);
  });
});

test("news that cannot be taken are read again, and hold up no others", async () => {
  const { id, reference } = await createPurchase(world);
  const poison = wireOf(world, ["\u0000 in a name"], { bankReference: "\u0000" });
  const good = wireOf(world, [reference]);
  world.ports.repeat(poison);
  await hear(good);
  expect(await find(world, id)).toMatchObject({ state: "PAYOUT_SUBMITTED" });
  expect(world.lines.join()).toContain("could not be taken");
});
