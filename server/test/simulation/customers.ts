import { asCents, asUnits } from "../../src/lib/money.ts";
import { createTransaction, usableBankAccount } from "../../src/ramp/create-transaction.ts";
import { applyStep } from "../../src/ramp/engine.ts";
import { showReference } from "../../src/ramp/references.ts";
import type { OffRamp, OnRamp, Ramp } from "../../src/ramp/transaction.ts";
import { walletAddress } from "./chain.ts";
import { bankAccountIds, customerName, tokens, userId, walletId } from "./scene.ts";
import type { Story } from "./story.ts";
import { blocked } from "./world.ts";

const settings = { transactionLimitUsd: 700 };

/** Asks for a purchase or a sale of 20 to 500 dollars' worth. */
export async function create(story: Story): Promise<void> {
  const { chance } = story;
  const token = chance.pick(tokens.slice(0, 2));
  const isSale = chance.isTrue(0.6);
  const isAskedInDollars = chance.isTrue(0.5);
  // The least quantity of a token is worth about ten dollars.
  const units = asUnits((token.leastUnits * BigInt(chance.between(30, 500))) / 10n);
  const request = {
    ...({ shape: "sourceDestination", type: isSale ? "OFF_RAMP" : "ON_RAMP", token } as const),
    ...({ settlementMethod: isSale && chance.isTrue(0.6) ? "ACH" : "WIRE" } as const),
    ...{ walletId, bankAccountId: chance.pick(bankAccountIds), quoteId: null },
    units: isAskedInDollars ? null : units,
    cents: isAskedInDollars ? asCents(BigInt(chance.between(35_00, 500_00))) : null,
    fields: { units: "units", cents: "cents" },
  };
  const what = `customer asks for ${request.type} of ${token.symbol} by ${request.settlementMethod}`;
  await story.ask(what, (tx, context) =>
    createTransaction(tx, { ...context, settings }, userId, request),
  );
}

/** Pays for one of the transactions, right or wrong. */
export function pay(story: Story, ramp: Ramp): void {
  if (ramp.type === "ON_RAMP") wire(story, ramp);
  else deposit(story, ramp);
}

const strangers = ["BOB STRANGER", "BOB STRANGER", blocked.name];

/** The right amount, or a tenth, less, more, or much more than it. */
const shares = [100, 100, 100, 100, 10, 60, 130, 300];

function wire({ world, chance, ramps, tell }: Story, ramp: OnRamp): void {
  const asked = ramp.cents ?? asCents(100_00n);
  const cents = asCents((asked * BigInt(chance.pick(shares))) / 100n + 1n);
  const senderName = chance.isTrue(0.85) ? customerName.toUpperCase() : chance.pick(strangers);
  const reference = showReference(ramp.reference);
  const others = ramps.filter(({ type, id }) => type === "ON_RAMP" && id !== ramp.id) as OnRamp[];
  const texts = chance.pick([
    ...[[reference], [reference], [reference], ["INVOICE 12", reference.toLowerCase()]],
    ...[[reference.replace(/.$/, "")], [reference.slice(0, 9), reference.slice(9)]],
    ...[[], ["FOR COINS"], [reference, ...others.map((other) => showReference(other.reference))]],
  ]);
  world.sendWire({ cents: cents > 0n ? cents : asCents(1n), senderName, texts });
  tell(`${senderName} wires ${cents} cents for ${ramp.id}, saying ${JSON.stringify(texts)}`);
}

function deposit({ world, chance, tell }: Story, ramp: OffRamp): void {
  const isRightToken = chance.isTrue(0.75);
  const token = isRightToken ? ramp.token : chance.pick(tokens);
  const asked = token.symbol === ramp.token.symbol ? ramp.units : null;
  const least = tokens.find(({ symbol }) => symbol === token.symbol)?.leastUnits ?? 1n;
  const whole = asked && asked > 0n ? asked : least * 3n;
  const share = chance.pick([...shares, 1]);
  const units = asUnits((whole * BigInt(share)) / 100n + BigInt(chance.below(2)));
  const fromAddress = chance.isTrue(0.85)
    ? walletAddress
    : chance.pick(["0x5712A96E00000000000000000000000000000000", blocked.address]);
  const transfer = { address: ramp.depositAddress, fromAddress, currency: token.symbol, units };
  tell(`${fromAddress.slice(0, 6)} sends ${units} ${token.symbol} for ${ramp.id}`);
  world.chain.sendTransfer({ ...transfer, units: units > 0n ? units : asUnits(1n) });
}

/** Changes the mind about one of the transactions: cancels it, accepts a price, names another account. */
export async function decide(story: Story, ramp: Ramp): Promise<void> {
  const { chance } = story;
  const decisions = {
    cancel: () =>
      story.ask(`customer cancels ${ramp.id}`, (tx, context) =>
        applyStep(tx, context, ramp.id, { kind: "canceled" }),
      ),
    accept: () =>
      story.ask(`customer accepts the price of ${ramp.id}`, (tx, context) =>
        applyStep(tx, context, ramp.id, { kind: "released", by: "customer", note: null }),
      ),
    replace: () => replaceAccount(story, ramp),
  };
  if (ramp.reason === "price_moved") return decisions.accept();
  if (ramp.state === "PAYOUT_RETURNED" || ramp.state === "RETURNED_AFTER_COMPLETION")
    return decisions.replace();
  await decisions[chance.pick(["cancel", "cancel", "accept", "replace"] as const)]();
}

/** Names another account for money that came back. */
async function replaceAccount(story: Story, ramp: Ramp): Promise<void> {
  const bankAccountId = story.chance.pick(bankAccountIds);
  await story.ask(`customer names ${bankAccountId} for ${ramp.id}`, async (tx, context) => {
    const { settlementMethod: receives } = ramp;
    const now = context.clock.now();
    await usableBankAccount(tx, context, { userId, bankAccountId, receives, now });
    await applyStep(tx, context, ramp.id, { kind: "account_replaced", bankAccountId });
  });
}
