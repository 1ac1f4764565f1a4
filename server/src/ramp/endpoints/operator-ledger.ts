import type { Invariants } from "@slipway/sdk";
import { Type } from "typebox";
import { cursorFields, pageLimit, pageOf } from "../../accounts/endpoints/operator-list.ts";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import { CallerError, UnavailableError } from "../../lib/errors.ts";
import { checkInvariants } from "../invariants.ts";
import { formatAsset, presentPosting } from "../present-ledger.ts";
import {
  hasAccount,
  listAccountEntries,
  listAccounts,
  sumEntries,
} from "../store/operator-views.ts";
import {
  AccountEntrySchema,
  forOperators,
  LedgerAccountSchema,
  TrialBalanceSchema,
} from "./operator-schemas.ts";
import type { TransactionContext } from "./transaction-context.ts";

const InvariantsSchema = shapeOf<Invariants>()(
  Type.Object({
    ok: Type.Boolean(),
    checks: Type.Array(
      Type.Object({ id: Type.String(), ok: Type.Boolean(), detail: Type.String() }),
    ),
  }),
);

/** How accounts of the ledger are named. */
const nameForm = "[A-Za-z0-9:._-]{1,120}";

const common = { ...forOperators, method: "GET", status: 200 } as const;

/** The books, as operators see them. */
export function operatorLedgerEndpoints({ db, ports }: TransactionContext): Endpoint[] {
  return [
    endpoint({
      ...common,
      path: "/operator/ledger/accounts",
      summary: "Accounts of the ledger by name, with their balances",
      description: "What belongs to customers is positive, what is ours is negative.",
      query: Type.Object({
        ...cursorFields(nameForm),
        prefix: Type.Optional(
          Type.String({
            pattern: `^${nameForm}$`,
            description: "must be the beginning of an account's name, such as suspense:",
          }),
        ),
      }),
      response: Type.Array(LedgerAccountSchema),
      async handle({ query }) {
        const limit = pageLimit(query);
        const { prefix = "", after } = query;
        const accounts = await listAccounts(db, { prefix, limit, after });
        const shown = accounts.map(({ name, asset, balance }) => ({
          name,
          asset,
          balance: formatAsset(balance, asset),
        }));
        return pageOf(shown, limit, ({ name }) => name);
      },
    }),
    endpoint({
      ...common,
      path: "/operator/ledger/accounts/{name}/entries",
      summary: "What was booked to an account, newest first",
      params: Type.Object({ name: Type.String({ description: "such as bank:main:USD" }) }),
      query: Type.Object(cursorFields("[0-9]{1,15}")),
      response: Type.Array(AccountEntrySchema),
      async handle({ params: { name }, query }) {
        const isName = new RegExp(`^${nameForm}$`).test(name);
        if (!isName || !(await hasAccount(db, name))) {
          throw new CallerError("not_found", "There is no such account of the ledger");
        }
        const limit = pageLimit(query);
        const entries = await listAccountEntries(db, name, { limit, after: query.after });
        const shown = entries.map(({ transactionId, ...posting }) => ({
          ...presentPosting(posting),
          transactionId,
        }));
        return pageOf(shown, limit, ({ journal }) => String(journal));
      },
    }),
    endpoint({
      ...common,
      path: "/operator/ledger/trialBalance",
      summary: "All debits and credits of each asset; their difference is zero",
      response: Type.Array(TrialBalanceSchema),
      async handle() {
        const sums = await sumEntries(db);
        return sums.map(({ asset, debits, credits }) => ({
          asset,
          debits: formatAsset(-debits, asset),
          credits: formatAsset(credits, asset),
          difference: formatAsset(debits + credits, asset),
        }));
      },
    }),
    endpoint({
      ...common,
      path: "/operator/invariants",
      summary: "Whether the books are right, check by check",
      response: InvariantsSchema,
      rows: "checks",
      handle() {
        if (!ports) {
          throw new UnavailableError(
            "There are no books to compare with: this service is connected to no bank and no blockchain.",
          );
        }
        return checkInvariants({ db, ports });
      },
    }),
  ];
}
