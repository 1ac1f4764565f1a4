import type { LedgerAdjustment } from "@slipway/sdk";
import { type Static, Type } from "typebox";
import { once } from "../../accounts/once.ts";
import type { Transaction } from "../../database/database.ts";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import { CallerError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import { parseDecimal, readQuantity } from "../../lib/money.ts";
import { findToken } from "../assets.ts";
import { ledgerAccounts, usd } from "../ledger/accounts.ts";
import { formatAsset } from "../present-ledger.ts";
import { bookOnce, findBalances } from "../store/ledger.ts";
import { lockInventory } from "../store/payouts.ts";
import { audit } from "./operator-audit.ts";
import { forOperators, NoteField } from "./operator-schemas.ts";
import type { TransactionContext } from "./transaction-context.ts";

const accountRule = "must be bank:main:USD, or a hot wallet such as hot:USDC.ethereum";

const NewAdjustment = Type.Object({
  account: Type.String({
    description: accountRule,
  }),
  quantity: Type.Union([Type.String(), Type.Number()], {
    description: 'must be a decimal string such as "250000"',
  }),
  direction: Type.Enum(["in", "out"], {
    description: "must be in (we have more than before) or out (we have less)",
  }),
  cause: Type.Enum(["owners", "charges"], {
    description:
      "must be owners (they put it in or took it out) or charges (a fee, a loss, interest)",
  }),
  note: NoteField,
});

const text = Type.String();
const AdjustmentSchema = shapeOf<LedgerAdjustment>()(
  Type.Object({
    id: text,
    account: text,
    quantity: text,
    direction: Type.Enum(["in", "out"]),
    cause: Type.Enum(["owners", "charges"]),
    balance: text,
  }),
);

/** Books what no customer did: money of the owners, and what banks and networks charge. */
export function operatorAdjustmentEndpoints(context: TransactionContext): Endpoint[] {
  return [
    endpoint({
      ...forOperators,
      method: "POST",
      path: "/operator/ledger/adjustments",
      summary: "Book money that the owners moved, or that a bank or network charged",
      description:
        "After the money has moved: the books then say again what the bank and the chains say.",
      body: NewAdjustment,
      status: 201,
      response: AdjustmentSchema,
      handle: (input) =>
        once(context, input, async (tx) => {
          const { account, asset, amount } = readAdjustment(input.body);
          const { direction, cause, note } = input.body;
          const id = newId("adj", context.random);
          const at = new Date(context.clock.now());
          await lockInventory(tx, asset);
          if (direction === "out") await requireFunds(tx, account, asset, amount);
          const other =
            cause === "owners" ? ledgerAccounts.equity(asset) : ledgerAccounts.loss(asset);
          const [from, to] = direction === "in" ? [account, other] : [other, account];
          const moves = [{ asset, amount, from, to }];
          await bookOnce(tx, { fact: id, kind: "adjustment", transactionId: null, at, moves });
          const quantity = formatAsset(amount, asset);
          const detail = { quantity, direction, cause, note };
          await audit(tx, context, input, { action: "ledger.adjust", target: account, detail });
          const balance = formatAsset(await owned(tx, account), asset);
          return { id, account, quantity, direction, cause, balance };
        }),
    }),
  ];
}

type Adjustment = { account: string; asset: string; amount: bigint };

function readAdjustment({ account, quantity }: Static<typeof NewAdjustment>): Adjustment {
  const asset = account === ledgerAccounts.bank() ? usd : (/^hot:(.+)$/.exec(account)?.[1] ?? "");
  const [symbol = "", blockchain = ""] = asset.split(".");
  const decimals = asset === usd ? 2 : findToken(symbol, blockchain)?.decimals;
  if (decimals === undefined) throw new CallerError("bad_request", `account ${accountRule}`);
  const read = readQuantity(quantity);
  const amount = "fault" in read ? undefined : parseDecimal(read.text, decimals);
  if ("fault" in read) throw new CallerError("bad_request", `quantity ${read.fault}`);
  if (!amount)
    throw new CallerError(
      "bad_request",
      `quantity must be more than 0, with at most ${decimals} decimals`,
    );
  return { account, asset, amount };
}

async function requireFunds(
  tx: Transaction,
  account: string,
  asset: string,
  amount: bigint,
): Promise<void> {
  const balance = await owned(tx, account);
  if (balance >= amount) return;
  const held = formatAsset(balance, asset);
  throw new CallerError("conflict", `${account} has only ${held} by our books`);
}

/** What is ours is debit-normal: its balance in the books is negative. */
async function owned(tx: Transaction, account: string): Promise<bigint> {
  const balances = await findBalances(tx, [account]);
  const balance = balances.get(account) ?? 0n;
  return -balance;
}
