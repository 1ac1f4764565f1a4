import type { Payout, PayoutBatch } from "@slipway/sdk";
import { Link, useSearchParams } from "wouter";
import { decimal } from "../../lib/figures.ts";
import { dateOf } from "../../lib/times.ts";
import { Answered } from "../../parts/answered.tsx";
import { Card } from "../../parts/card.tsx";
import { When } from "../../parts/figures.tsx";
import { Page } from "../../parts/page.tsx";
import { Segments } from "../../parts/segments.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { BankFiles } from "./bank-files.tsx";
import { Deposits, Wires } from "./incoming.tsx";

const tabs = [
  { value: "payouts", label: "Payouts" },
  { value: "files", label: "Bank files" },
  { value: "wires", label: "Wires that came" },
  { value: "deposits", label: "Deposits that came" },
] as const;
type Tab = (typeof tabs)[number]["value"];

/** Money on its way out, in batches and one by one, the files it goes in, and what came in. */
export function PayoutsPage() {
  const [params, setParams] = useSearchParams();
  const tab: Tab = tabs.find(({ value }) => value === params.get("tab"))?.value ?? "payouts";
  const batches = useAnswer({
    key: ["operator", "batches"],
    role: "operator",
    everyMs: 5_000,
    ask: (client) => client.operator.payoutBatches(),
  });
  return (
    <Page
      title="Payouts"
      subtitle="ACH payments leave with the file of 17:05 in New York, wires before their cut-off."
    >
      <div className="grid gap-4">
        <Card title="Batches">
          <Answered answer={batches} height="12rem">
            {(list) => (
              <Table
                caption="Payouts that go out together"
                columns={batchColumns}
                rows={list}
                keyOf={({ rail, sendDate, asset }) => `${rail} ${sendDate} ${asset}`}
                empty="Nothing goes out in these days."
              />
            )}
          </Answered>
        </Card>
        <Card
          actions={
            <Segments
              label="What is shown"
              options={tabs}
              value={tab}
              onChange={(chosen) => setParams({ tab: chosen })}
            />
          }
        >
          {tab === "payouts" && <Payouts />}
          {tab === "files" && <BankFiles />}
          {tab === "wires" && <Wires />}
          {tab === "deposits" && <Deposits />}
        </Card>
      </div>
    </Page>
  );
}

function Payouts() {
  const payouts = useAnswer({
    key: ["operator", "payouts"],
    role: "operator",
    everyMs: 5_000,
    ask: (client) => client.operator.payouts({ limit: 200 }),
  });
  return (
    <Answered answer={payouts} height="20rem">
      {(list) => (
        <Table
          caption="Payouts, newest first"
          columns={payoutColumns}
          rows={list}
          keyOf={({ id }) => id}
          empty="Nothing has gone out yet."
        />
      )}
    </Answered>
  );
}

const batchColumns: Column<PayoutBatch>[] = [
  { header: "Rail", cell: ({ rail }) => rail },
  { header: "Leaves", cell: ({ sendDate }) => (sendDate ? dateOf(sendDate) : "at once") },
  { header: "Payouts", isFigure: true, cell: ({ count }) => count },
  { header: "Total", isFigure: true, cell: ({ total, asset }) => `${decimal(total, 18)} ${asset}` },
  {
    header: "States",
    isExtra: true,
    cell: ({ states }) =>
      Object.entries(states)
        .map(([state, count]) => `${count} ${state}`)
        .join(", "),
  },
];

const payoutColumns: Column<Payout>[] = [
  {
    header: "Payout",
    cell: ({ id, transactionId }) => (
      <>
        <span className="font-mono text-xs">{id}</span>
        {transactionId && (
          <div>
            <Link href={`/operator/transactions/${transactionId}`}>{transactionId}</Link>
          </div>
        )}
      </>
    ),
  },
  { header: "For", isExtra: true, cell: ({ purpose }) => purpose.replaceAll("_", " ") },
  { header: "Rail", cell: ({ rail }) => rail },
  {
    header: "Quantity",
    isFigure: true,
    cell: ({ quantity, asset }) => `${decimal(quantity, 18)} ${asset}`,
  },
  { header: "State", cell: ({ state }) => <StateBadge state={state} /> },
  {
    header: "Trace",
    isExtra: true,
    cell: ({ trace }) => <span className="font-mono text-xs break-all">{trace ?? "–"}</span>,
  },
  { header: "Tries", isFigure: true, isExtra: true, cell: ({ attempts }) => attempts },
  { header: "Changed", isExtra: true, cell: ({ updatedAt }) => <When at={updatedAt} /> },
];
