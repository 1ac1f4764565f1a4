import type { VerificationStatus, WaitingAccount } from "@slipway/sdk";
import { Link, useSearchParams } from "wouter";
import { Answered } from "../../parts/answered.tsx";
import { Card } from "../../parts/card.tsx";
import { type DataColumn, DataTable } from "../../parts/data-table.tsx";
import { Choice } from "../../parts/fields.tsx";
import { When } from "../../parts/figures.tsx";
import { Page } from "../../parts/page.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { useAnswer } from "../../session/use-answer.ts";

const statuses: readonly VerificationStatus[] = [
  "review",
  "pending",
  "approved",
  "rejected",
  "expired",
  "none",
];

/** Accounts and whether they are verified. */
export function VerificationsPage() {
  const [params, setParams] = useSearchParams();
  const status = statuses.find((each) => each === params.get("status"));
  const accounts = useAnswer({
    key: ["operator", "verifications", status],
    role: "operator",
    everyMs: 5_000,
    ask: (client) => client.operator.verifications.list({ limit: 500, ...(status && { status }) }),
  });
  return (
    <Page
      title="Verification"
      subtitle="Only verified accounts can buy and sell. Every decision needs a reason."
      actions={
        <Choice
          label="Status"
          value={status ?? ""}
          onChange={({ currentTarget }) =>
            setParams(currentTarget.value ? { status: currentTarget.value } : {})
          }
        >
          <option value="">waiting</option>
          {statuses.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </Choice>
      }
    >
      <Card>
        <Answered answer={accounts} height="20rem">
          {(list) => (
            <DataTable
              caption="Accounts"
              columns={columns}
              rows={list}
              keyOf={({ userId }) => userId}
              search="Find an account"
              empty="✓ Nobody waits."
            />
          )}
        </Answered>
      </Card>
    </Page>
  );
}

const columns: DataColumn<WaitingAccount>[] = [
  {
    header: "Account",
    value: ({ name }) => name,
    cell: ({ userId, name }) => (
      <>
        <Link href={`/operator/verifications/${userId}`}>{name}</Link>
        <div className="font-mono text-xs text-quiet">{userId}</div>
      </>
    ),
  },
  { header: "E-mail", value: ({ email }) => email, cell: ({ email }) => email, isExtra: true },
  { header: "Kind", value: ({ kind }) => kind, cell: ({ kind }) => kind, isExtra: true },
  {
    header: "Status",
    value: ({ status }) => status,
    cell: ({ status }) => <StateBadge state={status} />,
  },
  {
    header: "Reason",
    value: ({ reason }) => reason,
    cell: ({ reason }) => reason ?? "–",
    isExtra: true,
  },
  {
    header: "Since",
    value: ({ updatedAt }) => updatedAt,
    cell: ({ updatedAt }) => <When at={updatedAt} />,
  },
];
