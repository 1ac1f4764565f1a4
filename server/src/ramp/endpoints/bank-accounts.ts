import type { BankAccount, NewBankAccount } from "@slipway/sdk";
import { Type } from "typebox";
import { once } from "../../accounts/once.ts";
import { behindWall, enterWall, leaveWall } from "../../accounts/wall.ts";
import type { Transaction } from "../../database/database.ts";
import { type Caller, type Endpoint, endpoint } from "../../http/endpoint.ts";
import { CallerError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { maskedNumber, tellAccount } from "../banking/account-news.ts";
import { findBank } from "../banking/directory.ts";
import { readHolder } from "../banking/holder.ts";
import type { RampSettings } from "../settings.ts";
import {
  deleteBankAccount,
  insertBankAccount,
  listBankAccounts,
  type NewBankAccountRow,
  readBankAccount,
  type StoredBankAccount,
} from "../store/bank-accounts.ts";
import { BankAccountSchema, NewBankAccountSchema } from "./bank-account-schemas.ts";
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

type BankAccountContext = PaymentMethodContext & {
  settings: Pick<RampSettings, "accountNumberDisplay">;
};

type AccountRequest = Pick<
  NewBankAccountRow,
  "routingNumber" | "accountNumber" | "accountType" | "holder"
>;

const ParamsSchema = Type.Object({
  bankAccountId: Type.String({ description: "`bac-` and digits" }),
});

const path = "/v2/ramp/paymentMethods/bankAccounts";
const common = { family: "ramp", actsFor: "subaccounts" } as const;

/** Bank accounts: where dollars go to. */
export function bankAccountEndpoints(context: BankAccountContext): Endpoint[] {
  const { db, clock, sealer, ports, settings } = context;
  /** What is shown of an account to the key that asks. */
  const shownTo = (caller: Caller) => (account: StoredBankAccount) =>
    present(
      account,
      settings.accountNumberDisplay === "full" && caller.scopes.has("ramp:accountnumbers:reveal"),
    );
  return [
    endpoint({
      ...common,
      method: "POST",
      path,
      summary: "Register a bank account in the United States",
      description:
        "The answer names the bank that the routing number belongs to: it should be the one you mean.",
      scope: "ramp:methods:write",
      body: NewBankAccountSchema,
      status: 201,
      response: BankAccountSchema,
      async handle({ body, caller, userId, idempotency }) {
        const request = readNewAccount(body);
        await requireClear(ports.screening.person(request.holder.fullName), "bank account");
        return once(context, { caller, idempotency }, async (tx) =>
          shownTo(caller)(await registerAccount(tx, context, userId, request)),
        );
      },
    }),
    endpoint({
      ...common,
      method: "GET",
      path,
      summary: "The account's bank accounts, newest first",
      scope: "ramp:read",
      query: PageSchema,
      status: 200,
      response: Type.Array(BankAccountSchema),
      async handle({ query, caller, userId }) {
        const accounts = await behindWall(db, userId, (tx) =>
          listBankAccounts(tx, { sealer }, userId, pageOf(query)),
        );
        return accounts.map(shownTo(caller));
      },
    }),
    endpoint({
      ...common,
      method: "GET",
      path: `${path}/{bankAccountId}`,
      summary: "One bank account of the account",
      scope: "ramp:read",
      params: ParamsSchema,
      status: 200,
      response: BankAccountSchema,
      async handle({ params: { bankAccountId }, caller, userId }) {
        requireId("bac", bankAccountId);
        const account = await behindWall(db, userId, (tx) =>
          readBankAccount(tx, { sealer }, userId, bankAccountId),
        );
        if (!account) throw notFound("Bank account", bankAccountId);
        return shownTo(caller)(account);
      },
    }),
    endpoint({
      ...common,
      method: "DELETE",
      path: `${path}/{bankAccountId}`,
      summary: "Delete a bank account that no open transaction uses",
      scope: "ramp:methods:write",
      params: ParamsSchema,
      status: 204,
      response: NoContent,
      async handle({ params: { bankAccountId }, userId }) {
        requireId("bac", bankAccountId);
        await db.transact(async (tx) => {
          const now = new Date(clock.now());
          await enterWall(tx, userId);
          const deleted = await deleteBankAccount(tx, userId, bankAccountId, now);
          if (typeof deleted === "string") throw notDeleted("Bank account", bankAccountId, deleted);
          await leaveWall(tx);
          await tellAccount(tx, context, "deleted", deleted, now);
        });
        return noContent;
      },
    }),
  ];
}

async function registerAccount(
  tx: Transaction,
  context: BankAccountContext,
  userId: string,
  request: AccountRequest,
): Promise<StoredBankAccount> {
  const id = newId("bac", context.random);
  const now = new Date(context.clock.now());
  await enterWall(tx, userId);
  const bank = await findBank(tx, request.routingNumber, now);
  if (!bank) throw new CallerError("bad_request", "routingNumber is not a known US bank");
  const { name: bankName, address: bankAddress } = bank;
  const row = { id, userId, ...request, bankName, bankAddress, now };
  const account = await insertBankAccount(tx, context, row);
  if (account.id !== id) {
    throw new CallerError("conflict", `This bank account is already registered as ${account.id}.`);
  }
  await leaveWall(tx);
  await tellAccount(tx, context, "created", account, now);
  return account;
}

/** Reads what the schema has let through, or throws one error that names what does not fit the country. */
function readNewAccount(body: NewBankAccount): AccountRequest {
  const { routingNumber, accountType = "checking" } = body;
  const holder = readHolder(body.billingDetails);
  if ("faults" in holder) {
    const [first = "", ...rest] = holder.faults;
    throw new CallerError("bad_request", first, ...rest);
  }
  const accountNumber = body.accountNumber.replace(/[ -]/g, "");
  return { routingNumber, accountNumber, accountType, holder };
}

function present(account: StoredBankAccount, isRevealed: boolean): BankAccount {
  const createdAt = timestamp(account.createdAt);
  return {
    id: account.id,
    routingNumber: account.routingNumber,
    accountNumber: isRevealed ? account.accountNumber : maskedNumber(account),
    bankName: account.bankName,
    createdAt,
    updatedAt: timestamp(account.updatedAt),
    userId: account.userId,
    fiatCurrency: account.fiatCurrency,
    bankAddress: {
      ...account.bankAddress,
      createdAt,
      updatedAt: timestamp(account.bankUpdatedAt),
    },
    billingDetails: { ...account.holder, createdAt, updatedAt: createdAt },
  };
}
