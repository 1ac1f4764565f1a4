import type { OperatorTransaction, OperatorTransactionOptions } from "@slipway/sdk";
import { Link, useSearchParams } from "wouter";
import { decimal, dollars } from "../../lib/figures.ts";
import { Answered } from "../../parts/answered.tsx";
import { Card } from "../../parts/card.tsx";
import { type DataColumn, DataTable } from "../../parts/data-table.tsx";
import { Choice, Field } from "../../parts/fields.tsx";
import { When } from "../../parts/figures.tsx";
import { Page } from "../../parts/page.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { useAnswer } from "../../session/use-answer.ts";

const states = [
  "AWAITING_DEPOSIT",
  "DEPOSIT_SEEN",
  "AWAITING_FUNDS",
  "FUNDS_RECEIVED",
  "PAYOUT_QUEUED",
  "PAYOUT_SUBMITTED",
  "COMPLETED",
  "IN_REVIEW",
  "PAYOUT_FAILED",
  "PAYOUT_RETURNED",
  "RETURNED_AFTER_COMPLETION",
  "REFUND_PENDING",
  "REFUND_SUBMITTED",
  "REFUND_FAILED",
  "REFUNDED",
  "EXPIRED",
  "CANCELED",
  "WRITTEN_OFF",
] as const;

/** Every customer's transactions, newest first. */
export function TransactionsPage() {
  const [params, setParams] = useSearchParams();
  const state = params.get("state") ?? "";
  const userId = params.get("userId") ?? "";
  const flagged = params.get("flagged") ?? "";
  const options: OperatorTransactionOptions = {
    limit: 200,
    ...(state && { state }),
    ...(/^usr-\d+$/.test(userId) && { userId }),
    ...(flagged && { flagged: flagged === "true" }),
  };
  const transactions = useAnswer({
    key: ["operator", "transactions", options],
    role: "operator",
    everyMs: 5_000,
    ask: (client) => client.operator.transactions.list(options),
  });
  const choose = (name: string, value: string) =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      if (value) next.set(name, value);
      else next.delete(name);
      return next;
    });
  return (
    <Page title="Transactions" subtitle="Of all customers, the newest 200 that fit.">
      <Card>
        <div className="mb-3 grid gap-3 sm:grid-cols-3 xl:max-w-3xl">
          <Choice
            label="State"
            value={state}
            onChange={({ currentTarget }) => choose("state", currentTarget.value)}
          >
            <option value="">any</option>
            {states.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Choice>
          <Choice
            label="Flagged"
            value={flagged}
            onChange={({ currentTarget }) => choose("flagged", currentTarget.value)}
          >
            <option value="">both</option>
            <option value="true">yes</option>
            <option value="false">no</option>
          </Choice>
          <Field
            label="Account"
            placeholder="usr-…"
            value={userId}
            onChange={({ currentTarget }) => choose("userId", currentTarget.value.trim())}
          />
        </div>
        <Answered answer={transactions} height="30rem">
          {(list) => (
            <DataTable
              caption="Transactions, newest first"
              columns={columns}
              rows={list}
              keyOf={({ id }) => id}
              search="Find in these"
              empty="None fits. Buy or sell something on the ramp’s pages to see one."
            />
          )}
        </Answered>
      </Card>
    </Page>
  );
}

const columns: DataColumn<OperatorTransaction>[] = [
  {
    header: "Transaction",
    value: ({ id }) => id,
    cell: ({ id, userId }) => (
      <>
        <Link href={`/operator/transactions/${id}`}>{id}</Link>
        <div className="font-mono text-xs text-quiet">{userId}</div>
      </>
    ),
  },
  {
    header: "What",
    value: ({ type, settlementMethod }) => `${type} ${settlementMethod}`,
    cell: ({ type, settlementMethod }) =>
      `${type === "ON_RAMP" ? "purchase" : "sale"} by ${settlementMethod.toLowerCase()}`,
    isExtra: true,
  },
  {
    header: "From",
    isFigure: true,
    value: ({ sourceOrder }) => sourceOrder.quantity,
    cell: ({ sourceOrder }) => `${decimal(sourceOrder.quantity, 8)} ${sourceOrder.currency}`,
  },
  {
    header: "To",
    isFigure: true,
    isExtra: true,
    value: ({ destinationOrder }) => destinationOrder.quantity,
    cell: ({ destinationOrder }) =>
      `${decimal(destinationOrder.quantity, 8)} ${destinationOrder.currency}`,
  },
  {
    header: "Fee",
    isFigure: true,
    isExtra: true,
    value: ({ feeUsd }) => feeUsd,
    cell: ({ feeUsd }) => dollars(feeUsd),
  },
  {
    header: "State",
    value: ({ state }) => state,
    cell: ({ state, reason }) => (
      <>
        <StateBadge state={state} />
        {reason && <div className="text-xs text-quiet">{reason}</div>}
      </>
    ),
  },
  {
    header: "Changed",
    value: ({ updatedAt }) => updatedAt,
    cell: ({ updatedAt }) => <When at={updatedAt} />,
    isExtra: true,
  },
];
