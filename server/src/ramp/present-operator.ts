import type {
  Deposit,
  IncomingWire,
  OperatorTransaction,
  Payout,
  PayoutBatch,
  TransactionStep,
} from "@slipway/sdk";
import { assert } from "../lib/errors.ts";
import { isObject } from "../lib/is-object.ts";
import { formatCents } from "../lib/money.ts";
import type { Sealer } from "../lib/seal.ts";
import { timestamp } from "../lib/timestamp.ts";
import { presentTransaction } from "./present.ts";
import { formatAsset } from "./present-ledger.ts";
import { openWire } from "./store/incoming-wires.ts";
import type { BatchPart, DepositRow, PayoutRow, StepRow, WireRow } from "./store/operator-views.ts";
import type { Ramp } from "./transaction.ts";

/** A transaction as operators see it. */
export function presentForOperators(ramp: Ramp): OperatorTransaction {
  const { state, reason, priceSources } = ramp;
  const shown = { ...presentTransaction(ramp), state, reason };
  return priceSources ? { ...shown, priceSources: [...priceSources] } : shown;
}

/** A step without its bigints: whole numbers of the smallest unit are text. */
export function presentStep({ version, kind, state, at, data }: StepRow): TransactionStep {
  const { kind: _, ...facts } = plainObject(data);
  return { version, kind, state, createdAt: timestamp(at), data: facts };
}

/** A payout in whole tokens or dollars. */
export function presentPayout(payout: PayoutRow): Payout {
  const { amount, asset, sendOn, createdAt, updatedAt, ...rest } = payout;
  return {
    ...rest,
    asset,
    quantity: formatAsset(amount, asset),
    sendDate: sendOn,
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
  };
}

/** A deposit in whole tokens. */
export function presentDeposit(deposit: DepositRow): Deposit {
  const { units, blockTime, createdAt, updatedAt, ...rest } = deposit;
  return {
    ...rest,
    quantity: formatAsset(units, `${rest.currency}.${rest.blockchain}`),
    blockTime: timestamp(blockTime),
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
  };
}

/** A wire with what its sender wrote; of the sender's account only the end is shown. */
export function presentWire(sealer: Sealer, wire: WireRow): IncomingWire {
  const { id, bankReference, cents, state, reason, transactionId, dueAt } = wire;
  const { senderName, senderAccount, texts } = openWire(sealer, wire);
  return {
    id,
    bankReference,
    amountUsd: formatCents(cents),
    senderName,
    senderAccount: senderAccount && `****${senderAccount.slice(-4)}`,
    texts: [...texts],
    state,
    reason,
    transactionId,
    createdAt: timestamp(wire.receivedAt),
    updatedAt: timestamp(wire.updatedAt),
    deadline: dueAt && timestamp(dueAt),
  };
}

/** Puts the parts of each batch together. They come batch after batch. */
export function presentBatches(parts: readonly BatchPart[]): PayoutBatch[] {
  const batches = new Map<string, BatchPart[]>();
  for (const part of parts) {
    const name = `${part.rail} ${part.sendOn} ${part.asset}`;
    batches.set(name, [...(batches.get(name) ?? []), part]);
  }
  return [...batches.values()].map((members) => {
    const [first] = members;
    assert(first, "a batch has a part");
    const { rail, sendOn, asset } = first;
    return {
      rail,
      sendDate: sendOn,
      asset,
      count: members.reduce((sum, { count }) => sum + count, 0),
      total: formatAsset(
        members.reduce((sum, { total }) => sum + total, 0n),
        asset,
      ),
      states: Object.fromEntries(members.map(({ state, count }) => [state, count])),
    };
  });
}

/** The same with whole numbers as text: JSON has none that are large enough. */
function plainObject(value: unknown): Record<string, unknown> {
  const plain: unknown = JSON.parse(
    JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner)),
  );
  assert(isObject(plain), "a step is an object");
  return plain;
}
