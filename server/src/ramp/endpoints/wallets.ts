import type { NewWallet, Wallet } from "@slipway/sdk";
import { Type } from "typebox";
import { once } from "../../accounts/once.ts";
import { behindWall, enterWall, leaveWall } from "../../accounts/wall.ts";
import type { Transaction } from "../../database/database.ts";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import { assert, CallerError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import { checkAddress } from "../addresses/check-address.ts";
import { type Blockchain, readBlockchain } from "../blockchains.ts";
import { tell } from "../events/tell.ts";
import {
  deleteWallet,
  insertWallet,
  listWallets,
  readWallet,
  type StoredWallet,
} from "../store/wallets.ts";
import {
  NoContent,
  noContent,
  notDeleted,
  notFound,
  PageSchema,
  type PaymentMethodContext,
  pageOf,
  requireClear,
  requireId,
} from "./payment-methods.ts";

const WalletSchema = shapeOf<Wallet>()(
  Type.Object({
    id: Type.String(),
    userId: Type.String(),
    address: Type.String(),
    blockchain: Type.String(),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  }),
);

const NewWalletSchema = shapeOf<NewWallet>()(
  Type.Object({
    address: Type.String({ minLength: 1, description: "must be an address on the blockchain" }),
    blockchain: Type.Refine(
      Type.String({
        minLength: 1,
        description: "must be one of those that GET /v2/ramp/blockchains lists",
      }),
      (name) => readBlockchain(name) !== undefined,
      unsupported,
    ),
    userId: Type.Optional(Type.String()),
  }),
);

const ParamsSchema = Type.Object({ walletId: Type.String({ description: "`wal-` and digits" }) });

const path = "/v2/ramp/paymentMethods/wallets";
const common = { family: "ramp", maturity: "beta", actsFor: "subaccounts" } as const;
const nameLengthMost = 40;

/** Wallets: where crypto goes to and comes from. */
export function walletEndpoints(context: PaymentMethodContext): Endpoint[] {
  const { db, clock, ports } = context;
  return [
    endpoint({
      ...common,
      method: "POST",
      path,
      summary: "Register a wallet",
      description:
        "An address that is used on several blockchains is registered once for each. " +
        'The body may also be nested: `{"wallet": {"address", "blockchain"}}`.',
      scope: "ramp:methods:write",
      body: NewWalletSchema,
      bodyMayBeIn: "wallet",
      status: 201,
      response: WalletSchema,
      async handle({ body, caller, userId, idempotency }) {
        const { blockchain, address } = readNewWallet(body);
        await requireClear(ports.screening.wallet(blockchain, address), "wallet");
        return once(context, { caller, idempotency }, (tx) =>
          registerWallet(tx, context, { userId, blockchain, address }),
        );
      },
    }),
    endpoint({
      ...common,
      method: "GET",
      path,
      summary: "The account's wallets, newest first",
      scope: "ramp:read",
      query: PageSchema,
      status: 200,
      response: Type.Array(WalletSchema),
      handle: ({ query, userId }) =>
        behindWall(db, userId, (tx) => listWallets(tx, userId, pageOf(query))),
    }),
    endpoint({
      ...common,
      method: "GET",
      path: `${path}/{walletId}`,
      summary: "One wallet of the account",
      scope: "ramp:read",
      params: ParamsSchema,
      status: 200,
      response: WalletSchema,
      async handle({ params: { walletId }, userId }) {
        requireId("wal", walletId);
        const wallet = await behindWall(db, userId, (tx) => readWallet(tx, userId, walletId));
        if (!wallet) throw notFound("Wallet", walletId);
        return wallet;
      },
    }),
    endpoint({
      ...common,
      method: "DELETE",
      path: `${path}/{walletId}`,
      summary: "Delete a wallet that no open transaction uses",
      scope: "ramp:methods:write",
      params: ParamsSchema,
      status: 204,
      response: NoContent,
      async handle({ params: { walletId }, userId }) {
        requireId("wal", walletId);
        await db.transact(async (tx) => {
          const now = new Date(clock.now());
          await enterWall(tx, userId);
          const deleted = await deleteWallet(tx, userId, walletId, now);
          if (typeof deleted === "string") throw notDeleted("Wallet", walletId, deleted);
          await leaveWall(tx);
          await tellWallet(tx, context, "deleted", deleted, now);
        });
        return noContent;
      },
    }),
  ];
}

async function registerWallet(
  tx: Transaction,
  context: PaymentMethodContext,
  { userId, blockchain, address }: { userId: string; blockchain: Blockchain; address: string },
): Promise<StoredWallet> {
  const id = newId("wal", context.random);
  const now = new Date(context.clock.now());
  await enterWall(tx, userId);
  const wallet = await insertWallet(tx, { id, userId, blockchain, address, now });
  if (wallet.id !== id) {
    throw new CallerError(
      "conflict",
      `This address is already registered for ${blockchain} as ${wallet.id}.`,
    );
  }
  await leaveWall(tx);
  await tellWallet(tx, context, "created", wallet, now);
  return wallet;
}

function readNewWallet(body: NewWallet): { blockchain: Blockchain; address: string } {
  const blockchain = readBlockchain(body.blockchain);
  assert(blockchain, "the schema lets supported blockchains through");
  const checked = checkAddress(blockchain, body.address);
  if ("fault" in checked) throw new CallerError("bad_request", checked.fault);
  return { blockchain, address: checked.address };
}

/** Repeats a name that is short enough to be a typing error. */
function unsupported(name: string): string {
  return `${name.length <= nameLengthMost ? `${JSON.stringify(name)} ` : ""}is not supported`;
}

function tellWallet(
  tx: Transaction,
  { random }: PaymentMethodContext,
  happened: "created" | "deleted",
  wallet: StoredWallet,
  at: Date,
): Promise<void> {
  return tell(
    tx,
    { random },
    {
      userId: wallet.userId,
      type: `ramp.wallet.${happened}`,
      transactionId: null,
      object: wallet,
      at: at.getTime(),
    },
  );
}
