import type { LedgerLine } from "@slipway/sdk";
import { Link } from "wouter";
import { decimal } from "../../lib/figures.ts";
import { dateTime } from "../../lib/times.ts";
import { type Column, Table } from "../../parts/table.tsx";

type Line = LedgerLine & { transactionId?: string | null };

/** What was booked: debits at the left, credits at the right, equal for each journal. */
export function Postings({ lines }: { lines: readonly Line[] }) {
  const rows = lines.map((line, index) => ({ ...line, index }));
  return (
    <Table
      caption="Postings"
      columns={columns}
      rows={rows}
      keyOf={({ index }) => String(index)}
      empty="Nothing was booked yet: no money has moved."
    />
  );
}

const columns: Column<Line & { index: number }>[] = [
  { header: "Journal", cell: ({ journal }) => journal },
  {
    header: "What",
    cell: ({ kind, transactionId }) => (
      <>
        {kind.replaceAll("_", " ")}{" "}
        {transactionId && (
          <Link href={`/operator/transactions/${transactionId}`}>{transactionId}</Link>
        )}
      </>
    ),
  },
  {
    header: "Account",
    cell: ({ account }) => (
      <Link
        href={`/operator/ledger/${encodeURIComponent(account)}`}
        className="font-mono text-xs break-all"
      >
        {account}
      </Link>
    ),
  },
  { header: "Debit", isFigure: true, cell: ({ debit, asset }) => amount(debit, asset) },
  { header: "Credit", isFigure: true, cell: ({ credit, asset }) => amount(credit, asset) },
  { header: "When", isExtra: true, cell: ({ createdAt }) => dateTime(createdAt) },
];

function amount(quantity: string | null, asset: string): string {
  return quantity === null ? "" : `${decimal(quantity, 18)} ${asset}`;
}
