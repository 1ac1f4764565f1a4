import type { LedgerAccount, TrialBalance } from "@slipway/sdk";
import { Link } from "wouter";
import { decimal } from "../../lib/figures.ts";
import { Answered } from "../../parts/answered.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Card } from "../../parts/card.tsx";
import { type DataColumn, DataTable } from "../../parts/data-table.tsx";
import { Page } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { InvariantsCard } from "./invariants-card.tsx";

/** The books: every account, and whether debits and credits agree. */
export function LedgerPage() {
  const balance = useAnswer({
    key: ["operator", "trialBalance"],
    role: "operator",
    everyMs: 10_000,
    ask: (client) => client.operator.ledger.trialBalance(),
  });
  const accounts = useAnswer({
    key: ["operator", "accounts"],
    role: "operator",
    everyMs: 10_000,
    ask: (client) => client.operator.ledger.accounts({ limit: 500 }),
  });
  return (
    <Page
      title="Ledger"
      subtitle="Double entry: every amount is booked twice, and nothing is ever changed."
    >
      <div className="grid items-start gap-4 2xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <div className="grid content-start gap-4">
          <Card title="Trial balance">
            <Answered answer={balance} height="10rem">
              {(list) => (
                <Table
                  caption="Trial balance"
                  columns={balanceColumns}
                  rows={list}
                  keyOf={({ asset }) => asset}
                />
              )}
            </Answered>
          </Card>
          <InvariantsCard />
        </div>
        <Card title="Accounts">
          <Answered answer={accounts} height="30rem">
            {(list) => (
              <DataTable
                caption="Accounts of the ledger"
                columns={accountColumns}
                rows={list}
                keyOf={({ name, asset }) => `${name} ${asset}`}
                search="Find an account"
              />
            )}
          </Answered>
        </Card>
      </div>
    </Page>
  );
}

const accountColumns: DataColumn<LedgerAccount>[] = [
  {
    header: "Account",
    value: ({ name }) => name,
    cell: ({ name }) => (
      <Link
        href={`/operator/ledger/${encodeURIComponent(name)}`}
        className="font-mono text-xs break-all"
      >
        {name}
      </Link>
    ),
  },
  { header: "Asset", value: ({ asset }) => asset, cell: ({ asset }) => asset },
  {
    header: "Balance",
    isFigure: true,
    value: ({ balance }) => balance,
    cell: ({ balance }) => decimal(balance, 18),
  },
];

const balanceColumns: Column<TrialBalance>[] = [
  { header: "Asset", cell: ({ asset }) => asset },
  {
    header: "Difference",
    isFigure: true,
    cell: ({ difference }) => {
      const isZero = /^-?0(\.0+)?$/.test(difference);
      return <Badge tone={isZero ? "good" : "bad"}>{isZero ? "✓ 0" : `✗ ${difference}`}</Badge>;
    },
  },
  { header: "Debits", isFigure: true, cell: ({ debits }) => decimal(debits, 18) },
  { header: "Credits", isFigure: true, cell: ({ credits }) => decimal(credits, 18) },
];
