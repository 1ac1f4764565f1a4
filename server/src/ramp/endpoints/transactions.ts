import { Type } from "typebox";
import { once } from "../../accounts/once.ts";
import { behindWall } from "../../accounts/wall.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { timeFields } from "../../http/list.ts";
import { Ready } from "../../http/ready.ts";
import { createTransaction } from "../create-transaction.ts";
import { readNewTransaction, type Shape } from "../new-transaction.ts";
import {
  presentCreated,
  presentCreatedSellBuy,
  presentSellBuy,
  presentTransaction,
} from "../present.ts";
import { presentInstructions } from "../present-details.ts";
import type { Ramp } from "../transaction.ts";
import { idField, limitField, momentsOf, skipField } from "./cursor-pages.ts";
import {
  forCustomers,
  ownRamp,
  statusOf,
  type TransactionContext,
  transactionsPath,
  userIdField,
} from "./transaction-context.ts";
import { transactionDetailEndpoints } from "./transaction-details.ts";
import { transactionList } from "./transaction-list.ts";
import {
  CreatedSchema,
  CreatedSellBuySchema,
  ExpandedSchema,
  MethodSchema,
  RampTransactionSchema,
  RampTypeSchema,
  SellBuySchema,
  StateSchema,
  transactionParams,
} from "./transaction-schemas.ts";

const shapeField = Type.Optional(
  Type.Enum(["sourceDestination", "sellBuy"], {
    default: "sourceDestination",
    description: "must be sourceDestination or sellBuy",
  }),
);
const presenters: Record<Shape, (ramp: Ramp) => object> = {
  sourceDestination: presentTransaction,
  sellBuy: presentSellBuy,
};
const described = (description: string) => Type.Optional(Type.Unknown({ description }));

/** For those who read the documentation: the body is read, and its faults are worded, in `new-transaction.ts`. */
const NewTransactionSchema = Type.Object(
  {
    settlementMethod: described("ACH or WIRE; a purchase is always by WIRE"),
    sourceOrder: described("an object with walletId and blockchain, or with bankAccountId"),
    destinationOrder: described("an object with the other of the two"),
    quoteId: described("of a quote whose price is to be kept"),
    transaction: described("an object around everything else, or with sellOrder and buyOrder"),
    userId: userIdField,
  },
  {
    examples: [
      {
        settlementMethod: "ACH",
        sourceOrder: { walletId: "wal-1", blockchain: "base", currency: "USDC", quantity: "100" },
        destinationOrder: { bankAccountId: "bac-1", currency: "USD" },
      },
      {
        transaction: {
          sellOrder: { walletId: "wal-1", blockchain: "base", currency: "USDC", quantity: "100" },
          buyOrder: { bankAccountId: "bac-1", currency: "USD" },
        },
      },
    ],
  },
);

/** What customers do with transactions. */
export function transactionEndpoints(context: TransactionContext): Endpoint[] {
  const { db, clock, settings } = context;
  return [
    endpoint({
      ...forCustomers,
      method: "POST",
      path: transactionsPath,
      summary: "Buy crypto with dollars, or sell it for dollars",
      description:
        "An order with walletId and blockchain as the source and one with bankAccountId as the destination make a sale " +
        "(OFF_RAMP), the other way round a purchase (ON_RAMP). A quantity may stand in either order. The orders may " +
        "also be called sellOrder and buyOrder, with or without an object named transaction around them; then the " +
        "answer has that shape too, and settlementMethod may be left out: ACH for a sale, WIRE for a purchase. " +
        "A sale's crypto goes to the walletAddress of the answer; how to wire for a purchase is said under instructions.",
      scope: "ramp:transactions:write",
      body: NewTransactionSchema,
      status: 201,
      response: Type.Union([CreatedSchema, CreatedSellBuySchema]),
      handle({ body, caller, userId, idempotency }) {
        const request = readNewTransaction(body);
        return once(context, { caller, idempotency }, async (tx) => {
          const ramp = await createTransaction(tx, context, userId, request);
          return request.shape === "sellBuy" ? presentCreatedSellBuy(ramp) : presentCreated(ramp);
        });
      },
    }),
    endpoint({
      ...forCustomers,
      method: "GET",
      path: transactionsPath,
      summary: "The account's transactions, newest first",
      description:
        "All of them, unless `limit` asks for pages: then the header `CB-After` is the cursor for `after`, which gives " +
        "what is older, and `CB-Before` the one for `before`, which gives what is newer. `Link` has the same as URLs. " +
        "`shape=sellBuy` answers in the older shape.",
      scope: "ramp:read",
      query: Type.Object({
        limit: limitField,
        skip: skipField,
        after: idField("txn"),
        before: idField("txn"),
        type: Type.Optional(RampTypeSchema),
        settlementMethod: Type.Optional(MethodSchema),
        state: Type.Optional(StateSchema),
        walletId: idField("wal"),
        bankAccountId: idField("bac"),
        ...timeFields,
        shape: shapeField,
        userId: userIdField,
      }),
      status: 200,
      response: Type.Union([Type.Array(RampTransactionSchema), Type.Array(SellBuySchema)]),
      handle({ query, userId }) {
        const { limit, skip = 0, after, before, shape, from, to } = query;
        const { type, settlementMethod, state, walletId, bankAccountId } = query;
        const wanted = { type, settlementMethod, state, walletId, bankAccountId };
        const present = presenters[shape ?? "sourceDestination"];
        return transactionList(db, {
          filter: { userId, ...wanted, ...momentsOf(query) },
          limit,
          skip,
          after,
          before,
          write: (ramp) => JSON.stringify(present(ramp)),
          path: transactionsPath,
          query: { limit, ...wanted, from, to, shape, userId: query.userId },
        });
      },
    }),
    endpoint({
      ...forCustomers,
      method: "GET",
      path: `${transactionsPath}/{transactionId}`,
      summary: "One transaction",
      description: "`expand=status,instructions` adds what the paths of these names answer.",
      scope: "ramp:read",
      params: transactionParams,
      query: Type.Object({
        shape: shapeField,
        expand: Type.Optional(
          Type.String({
            pattern: "^(status|instructions)(,(status|instructions))*$",
            description: "must be status, instructions, or both with a comma",
          }),
        ),
        userId: userIdField,
      }),
      status: 200,
      response: Type.Union([ExpandedSchema, SellBuySchema]),
      async handle({ params, query, userId }) {
        const asked = new Set(query.expand?.split(","));
        return behindWall(db, userId, async (tx) => {
          const ramp = await ownRamp(tx, userId, params.transactionId);
          const transaction = presenters[query.shape ?? "sourceDestination"](ramp);
          return new Ready(
            JSON.stringify({
              ...transaction,
              ...(asked.has("status") ? { status: await statusOf(tx, ramp, clock.now()) } : {}),
              ...(asked.has("instructions")
                ? { instructions: presentInstructions(ramp, settings.wire) }
                : {}),
            }),
          );
        });
      },
    }),
    ...transactionDetailEndpoints(context),
  ];
}
