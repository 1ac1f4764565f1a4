import type {
  CreatedSellBuyTransaction,
  CreatedTransaction,
  ExpandedTransaction,
  LedgerLine,
  RampTransaction,
  SellBuyTransaction,
  TransactionInstructions,
  TransactionStatus,
} from "@slipway/sdk";
import { Type } from "typebox";
import { shapeOf } from "../../http/endpoint.ts";
import { offRampStates, onRampStates } from "../transaction.ts";

const text = Type.String();
const textOrNull = Type.Union([text, Type.Null()]);
const time = Type.String({ description: "UTC with milliseconds and no zone" });
const timeOrNull = Type.Union([time, Type.Null()]);

/** Whether crypto is bought or sold. */
export const RampTypeSchema = Type.Enum(["ON_RAMP", "OFF_RAMP"], {
  description: "must be ON_RAMP or OFF_RAMP",
});
/** How dollars are moved. */
export const MethodSchema = Type.Enum(["ACH", "WIRE"], { description: "must be ACH or WIRE" });

/** Every state that either kind of transaction can be in. */
const states = [...new Set([...onRampStates, ...offRampStates])];
export const StateSchema = Type.Enum(states, {
  description: `must be one of ${states.join(", ")}`,
});

// What follows is the server's side of the shapes of the same names. The fields stand in the order in which `present.ts` writes them, so that every answer has the same bytes.
const order = {
  id: Type.String({ description: "`ord-` and digits" }),
  bankAccountId: textOrNull,
  blockchain: textOrNull,
  currency: text,
  quantity: textOrNull,
  walletId: textOrNull,
  createdAt: time,
  updatedAt: time,
};
const OrderSchema = Type.Object(order);
const walletAddress = Type.String({
  description: "where the crypto arrives (ON_RAMP), or where it is to be sent to (OFF_RAMP)",
});
const id = Type.String({ description: "`txn-` and digits" });
const times = {
  createdAt: time,
  flaggedAt: timeOrNull,
  completedAt: timeOrNull,
  updatedAt: time,
};
const transaction = {
  id,
  type: RampTypeSchema,
  settlementMethod: MethodSchema,
  priceUsd: textOrNull,
  feeUsd: text,
  ...times,
  userId: text,
  sourceOrder: OrderSchema,
};

export const RampTransactionSchema = shapeOf<RampTransaction>()(
  Type.Object({ ...transaction, destinationOrder: OrderSchema }),
);

export const CreatedSchema = shapeOf<CreatedTransaction>()(
  Type.Object({ ...transaction, destinationOrder: Type.Object({ ...order, walletAddress }) }),
);

const sellBuyOrder = { ...order, feeUsd: textOrNull, priceUsd: textOrNull };
const sellBuy = { id, type: RampTypeSchema, ...times, sellOrder: Type.Object(sellBuyOrder) };

export const SellBuySchema = shapeOf<SellBuyTransaction>()(
  Type.Object({ ...sellBuy, buyOrder: Type.Object(sellBuyOrder) }),
);

export const CreatedSellBuySchema = shapeOf<CreatedSellBuyTransaction>()(
  Type.Object({ ...sellBuy, buyOrder: Type.Object({ ...sellBuyOrder, walletAddress }) }),
);

const dateOrNull = Type.Union([
  Type.String({ description: "a date in New York: 2026-11-16" }),
  Type.Null(),
]);

export const StatusSchema = shapeOf<TransactionStatus>()(
  Type.Object({
    id,
    state: text,
    reason: textOrNull,
    explanation: text,
    unblockedBy: textOrNull,
    deadline: timeOrNull,
    priceLockedUntil: timeOrNull,
    estimatedSendDate: dateOrNull,
    estimatedSettlementDate: Type.Union([
      Type.Object({ earliest: text, latest: text }),
      Type.Null(),
    ]),
    calendarVersion: textOrNull,
    trace: textOrNull,
    updatedAt: time,
  }),
);

export const InstructionsSchema = shapeOf<TransactionInstructions>()(
  Type.Union([
    Type.Object({
      id,
      method: Type.Literal("WIRE"),
      amountUsd: textOrNull,
      beneficiaryName: text,
      beneficiaryAddress: text,
      bankName: text,
      routingNumber: text,
      accountNumber: text,
      reference: Type.String({ description: "has to stand on the wire" }),
      expiresAt: time,
    }),
    Type.Object({
      id,
      method: Type.Literal("CRYPTO"),
      blockchain: text,
      currency: text,
      quantity: textOrNull,
      address: text,
      priceLockedUntil: time,
      expiresAt: time,
    }),
  ]),
);

export const ExpandedSchema = shapeOf<ExpandedTransaction>()(
  Type.Object({
    ...RampTransactionSchema.properties,
    status: Type.Optional(StatusSchema),
    instructions: Type.Optional(InstructionsSchema),
  }),
);

export const LedgerLineSchema = shapeOf<LedgerLine>()(
  Type.Object({
    journal: Type.Number(),
    kind: text,
    account: text,
    asset: text,
    debit: textOrNull,
    credit: textOrNull,
    createdAt: time,
  }),
);

/** What every endpoint of one transaction has in its path. */
export const transactionParams = Type.Object({ transactionId: id });
