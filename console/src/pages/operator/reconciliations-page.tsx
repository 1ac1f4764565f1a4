import type { Reconciliation, ReconciliationDifference } from "@slipway/sdk";
import { Answered } from "../../parts/answered.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Fault } from "../../parts/fault.tsx";
import { When } from "../../parts/figures.tsx";
import { Page } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useAnswer, useOrder } from "../../session/use-answer.ts";

/** Whether the bank and the chains say the same as our books. */
export function ReconciliationsPage() {
  const reports = useAnswer({
    key: ["operator", "reconciliations"],
    role: "operator",
    everyMs: 10_000,
    ask: (client) => client.operator.reconciliations.list({ limit: 100 }),
  });
  const run = useOrder({
    role: "operator",
    send: (client, _: undefined) => client.operator.reconciliations.run(),
    changes: [["operator"]],
  });
  return (
    <Page
      title="Reconciliation"
      subtitle="What the bank’s statements and the chains say, compared with our books."
      actions={
        <Button look="main" disabled={run.isPending} onClick={() => run.mutate(undefined)}>
          {run.isPending ? "Comparing…" : "Compare now"}
        </Button>
      }
    >
      <Fault of={run.error} />
      {run.data?.notCompared.map(({ subject, reason }) => (
        <p key={subject} role="status" className="mb-2 text-warn">
          {subject} was not compared: {reason}
        </p>
      ))}
      <Card title="Comparisons">
        <Answered answer={reports} height="20rem">
          {(list) => (
            <Table
              caption="Comparisons, newest first"
              columns={columns}
              rows={list}
              keyOf={({ id }) => id}
              empty="None yet. “Compare now” makes the first."
            />
          )}
        </Answered>
      </Card>
    </Page>
  );
}

const columns: Column<Reconciliation>[] = [
  {
    header: "Compared with",
    cell: ({ subject, id }) => (
      <>
        <div className="font-medium">{subject}</div>
        <div className="font-mono text-xs text-quiet">{id}</div>
      </>
    ),
  },
  {
    header: "Outcome",
    cell: ({ ok, differences }) => (
      <>
        <Badge tone={ok ? "good" : "bad"}>
          {ok ? "✓ the same" : `✗ ${differences.length} differences`}
        </Badge>
        {differences.length > 0 && <Differences differences={differences} />}
      </>
    ),
  },
  { header: "Items", isFigure: true, cell: ({ compared }) => compared },
  {
    header: "On their way",
    isFigure: true,
    isExtra: true,
    cell: ({ inTransitCount }) => inTransitCount,
  },
  { header: "Up to", isExtra: true, cell: ({ asOf }) => asOf },
  { header: "When", cell: ({ createdAt }) => <When at={createdAt} /> },
];

function Differences({ differences }: { differences: readonly ReconciliationDifference[] }) {
  return (
    <ul className="mt-1 grid gap-1 text-xs">
      {differences.map(({ item, asset, theirs, ours, explanation }) => (
        <li key={`${item} ${asset}`}>
          <code className="font-mono">{item}</code>: theirs {theirs}, ours {ours} {asset}.{" "}
          {explanation}
        </li>
      ))}
    </ul>
  );
}
