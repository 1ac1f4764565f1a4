import { describe, expect, test } from "vitest";
import {
  entriesOf,
  paidSale,
  payoutOf,
  runBank,
  runBankAt,
  spend,
  useBankOutWorld,
} from "../../../../test/bank-out-world.ts";
import { expectSound, find, run, wireOf } from "../../../../test/ramp-world.ts";
import { sql } from "../../../database/sql.ts";
import { assert } from "../../../lib/errors.ts";
import { asCents } from "../../../lib/money.ts";
import { returnWire } from "../../incoming.ts";
import { readPain001 } from "../iso20022/pain001.ts";
import { endEntry } from "../store/bank-entries.ts";
import { tellNotices } from "../store/notices.ts";
import { insertWireSender } from "../store/wire-senders.ts";

const world = useBankOutWorld();

/** The wires in all files that the bank got. */
const orders = () =>
  [...world.bank.exchange.files.values()].flatMap((content) => readPain001(content).orders);
const orderOf = (payoutId: string) => orders().filter(({ endToEndId }) => endToEndId === payoutId);

const sender = { name: "Zoë Ångström", routingNumber: "121000248", accountNumber: "5550001" };

/** A wire that nobody can claim, and the payout that sends it back. */
async function returnedWire(from: Partial<typeof sender> | undefined): Promise<string> {
  const wire = wireOf(world, ["for nothing"]);
  const { bankReference, cents } = wire;
  if (from) {
    const at = new Date(world.clock.now());
    const known = { bankReference, cents, sender: { ...sender, ...from } };
    await world.db.transact((tx) => insertWireSender(tx, world.bank, known, at));
  }
  world.ports.tell(wire);
  await run(world);
  const [row] = await world.db.query<{ id: string }>(sql`
    select id from incoming_wires where bank_reference = ${bankReference}`);
  assert(row, "the wire came in");
  await world.db.transact((tx) => returnWire(tx, world.context, row.id, "operator:test"));
  await runBank(world);
  const [payout] = await world.db.query<{ id: string }>(sql`
    select id from payouts where wire_id = ${row.id} order by created_at desc limit 1`);
  assert(payout, "the wire goes back");
  return payout.id;
}

const stateOf = async (payoutId: string) => {
  const [row] = await world.db.query<{ state: string }>(sql`
    select state from payouts where id = ${payoutId}`);
  return row?.state;
};

describe("a wire", () => {
  test("goes out at once, in a file whose message is named after the file itself", async () => {
    const sale = await paidSale(world, 250_00n, { settlementMethod: "WIRE" });
    await runBank(world);
    const payoutId = await payoutOf(world, sale);
    const [[name, content] = [], ...others] = [...world.bank.exchange.files];
    assert(content, "there is a file");
    expect(others).toEqual([]);
    expect(name).toBe("slipway-wire-20260415-120000-1.xml");
    const [entry] = await entriesOf(world, [payoutId]);
    expect(entry).toMatchObject({ state: "filed", trace: payoutId });
    expect(readPain001(content)).toEqual({
      messageId: entry?.fileId,
      createdAt: "2026-04-15T16:00:00.000Z",
      executionOn: "2026-04-15",
      debtor: { name: "Slipway Tests", routingNumber: "021000089", accountNumber: "00123456789" },
      orders: [
        {
          endToEndId: payoutId,
          cents: 25_000n,
          creditor: {
            name: "Ada King Lovelace",
            ...{ routingNumber: "021000021", accountNumber: "123456789" },
          },
          remittance: "CRYPTOSELL",
        },
      ],
    });
    expect(await find(world, sale.id)).toMatchObject({ trace: payoutId, isSettled: false });

    // The bank says when it is settled: no morning does.
    await runBankAt(world, world.clock.now() + 20 * 3_600_000);
    expect(await find(world, sale.id)).toMatchObject({ isSettled: false });
    await world.db.transact(async (tx) => {
      const at = world.clock.now();
      const end = { state: "settled", networkReference: "IMAD1", at: new Date(at) } as const;
      expect(await endEntry(tx, payoutId, end)).toBe(true);
      expect(await endEntry(tx, payoutId, end)).toBe(false);
      const notice = { kind: "payout_settled", reference: payoutId, trace: "IMAD1", at } as const;
      await tellNotices(tx, world.bank, "bank", [notice]);
    });
    await runBank(world);
    spend(world, 250_00n);
    expect(await find(world, sale.id)).toMatchObject({ state: "COMPLETED", trace: "IMAD1" });
    await expectSound(world);
  });

  test("in the same second as another has another file", async () => {
    world.clock.advance(2 * 3_600_000);
    const pay = async () => {
      const sale = await paidSale(world, 10_00n, { settlementMethod: "WIRE" });
      await runBank(world);
      return payoutOf(world, sale);
    };
    const ids = [await pay(), await pay()];
    const names = [...world.bank.exchange.files.keys()].slice(-2);
    expect(names.map((name) => name.slice(-6))).toEqual(["-1.xml", "-2.xml"]);
    for (const id of ids) expect(orderOf(id)).toHaveLength(1);
  });

  test("of more than a wire can carry is refused", async () => {
    const to = {
      ...{ routingNumber: "021000021", accountNumber: "1", holderName: "Ada" },
      accountType: "checking",
    } as const;
    const common = { reference: "pay-1", rail: "wire", to, memo: "" } as const;
    const submit = world.ports.rails.wire.submit;
    expect(await submit({ ...common, cents: asCents(10_000_000_000_00n) })).toEqual({
      outcome: "refused",
      why: "a wire carries 9,999,999,999.99 dollars at most",
    });
    const nameless = { ...to, holderName: "\u0301" };
    expect(await submit({ ...common, cents: asCents(1n), to: nameless })).toMatchObject({
      outcome: "refused",
      why: "no wire can name such an account or holder",
    });
  });
});

describe("a wire that goes back", () => {
  test("goes to the account from which it came", async () => {
    const payoutId = await returnedWire({});
    expect(orderOf(payoutId)).toMatchObject([
      {
        creditor: { ...sender, name: "Zoe Angstrom" },
        cents: 10_000n,
        remittance: expect.stringMatching(/^RETURN OF IMAD\d+$/),
      },
    ]);
    expect(await stateOf(payoutId)).toBe("submitted");
  });

  test.each([
    ["the bank never told of it", undefined],
    ["the bank did not say from which account", { accountNumber: "" }],
    ["no wire can name the account", { accountNumber: "12 34/5" }],
  ])("is refused when %s", async (_, from) => {
    const payoutId = await returnedWire(from);
    expect(orderOf(payoutId)).toEqual([]);
    expect(await entriesOf(world, [payoutId])).toEqual([]);
    expect(await stateOf(payoutId)).toBe("failed");
    await expectSound(world);
  });
});
