import type {
  AccountEntry,
  Deposit,
  IncomingWire,
  KillSwitch,
  LedgerAccount,
  OperatorAction,
  OperatorTransaction,
  Payout,
  PayoutBatch,
  Review,
  TransactionFile,
  TrialBalance,
} from "@slipway/sdk";
import { Type } from "typebox";
import { shapeOf } from "../../http/endpoint.ts";
import { operatorActions } from "../operator-decisions.ts";
import { LedgerLineSchema, RampTransactionSchema, StatusSchema } from "./transaction-schemas.ts";

const text = Type.String();
const textOrNull = Type.Union([text, Type.Null()]);
const whole = Type.Integer();

/** What all endpoints for operators have in common. */
export const forOperators = { family: "ramp", scope: "operator" } as const;

/** Text that PostgreSQL can keep: no NUL, and no half of a character. */
const keepable = "(?:[^\\u0000\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])";

/** Why an operator decides as they do. */
export const NoteField = Type.String({
  pattern: `^${keepable}{1,500}$`,
  description: "must be 1 to 500 characters that say why",
});

const RailSchema = Type.Enum(["ach", "wire", "chain"]);
/** How far a payout can be. */
export const payoutStates: Payout["state"][] = [
  "queued",
  "submitted",
  "settled",
  "failed",
  "returned",
  "canceled",
];
/** Where a wire that came in can be. */
export const wireStates: IncomingWire["state"][] = ["matched", "suspense", "returning", "returned"];
/** What a deposit can be used for. */
export const depositUses: Deposit["use"][] = ["credited", "suspense", "returning", "returned"];

/** A query parameter that is one of a few words. */
export function wordField<const Word extends string>(words: Word[]) {
  return Type.Optional(Type.Enum(words, { description: `must be one of ${words.join(", ")}` }));
}

// What follows is the server's side of the shapes of the same names.

export const OperatorTransactionSchema = shapeOf<OperatorTransaction>()(
  Type.Object({
    ...RampTransactionSchema.properties,
    state: text,
    reason: textOrNull,
    priceSources: Type.Optional(Type.Array(text)),
  }),
);

const ActionsSchema = Type.Array(Type.Enum<OperatorAction[]>([...operatorActions]));

export const ReviewSchema = shapeOf<Review>()(
  Type.Object({
    transaction: OperatorTransactionSchema,
    explanation: text,
    unblockedBy: textOrNull,
    deadline: textOrNull,
    actions: ActionsSchema,
  }),
);

export const PayoutSchema = shapeOf<Payout>()(
  Type.Object({
    id: text,
    purpose: Type.Enum(["payout", "refund", "wire_return", "deposit_return"]),
    transactionId: textOrNull,
    wireId: textOrNull,
    depositId: textOrNull,
    rail: RailSchema,
    asset: text,
    quantity: text,
    state: Type.Enum(payoutStates),
    isAccepted: Type.Boolean(),
    trace: textOrNull,
    attempts: whole,
    sendDate: textOrNull,
    createdAt: text,
    updatedAt: text,
  }),
);

export const BatchSchema = shapeOf<PayoutBatch>()(
  Type.Object({
    rail: RailSchema,
    sendDate: textOrNull,
    asset: text,
    count: whole,
    total: text,
    states: Type.Record(text, whole),
  }),
);

export const DepositSchema = shapeOf<Deposit>()(
  Type.Object({
    id: text,
    transactionId: text,
    blockchain: text,
    transactionHash: text,
    logIndex: whole,
    address: text,
    fromAddress: text,
    currency: text,
    quantity: text,
    state: Type.Enum(["seen", "final", "gone"]),
    use: Type.Enum(depositUses),
    reason: textOrNull,
    blockTime: text,
    createdAt: text,
    updatedAt: text,
  }),
);

export const WireSchema = shapeOf<IncomingWire>()(
  Type.Object({
    id: text,
    bankReference: text,
    amountUsd: text,
    senderName: text,
    senderAccount: text,
    texts: Type.Array(text),
    state: Type.Enum(wireStates),
    reason: textOrNull,
    transactionId: textOrNull,
    createdAt: text,
    updatedAt: text,
    deadline: textOrNull,
  }),
);

export const FileSchema = shapeOf<TransactionFile>()(
  Type.Object({
    transaction: OperatorTransactionSchema,
    status: StatusSchema,
    actions: ActionsSchema,
    steps: Type.Array(
      Type.Object({
        version: whole,
        kind: text,
        state: text,
        createdAt: text,
        data: Type.Record(text, Type.Unknown()),
      }),
    ),
    payouts: Type.Array(PayoutSchema),
    deposits: Type.Array(DepositSchema),
    wires: Type.Array(WireSchema),
    ledger: Type.Array(LedgerLineSchema),
    events: Type.Array(
      Type.Object({
        id: text,
        sequence: Type.Number(),
        type: text,
        createdAt: text,
        userId: text,
        data: Type.Object({ object: Type.Unknown() }),
      }),
    ),
  }),
);

export const LedgerAccountSchema = shapeOf<LedgerAccount>()(
  Type.Object({ name: text, asset: text, balance: text }),
);

export const AccountEntrySchema = shapeOf<AccountEntry>()(
  Type.Object({ ...LedgerLineSchema.properties, transactionId: textOrNull }),
);

export const TrialBalanceSchema = shapeOf<TrialBalance>()(
  Type.Object({ asset: text, debits: text, credits: text, difference: text }),
);

export const KillSwitchSchema = shapeOf<KillSwitch>()(
  Type.Object({ name: text, reason: text, setBy: text, setAt: text }),
);
