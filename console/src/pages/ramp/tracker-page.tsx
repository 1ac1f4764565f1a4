import type { LedgerLine, RampOrder, TransactionStatus } from "@slipway/sdk";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { decimal, dollars, price } from "../../lib/figures.ts";
import { dateTime, millisecondsOf } from "../../lib/times.ts";
import { Answered } from "../../parts/answered.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Card } from "../../parts/card.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Json } from "../../parts/json.tsx";
import { Page } from "../../parts/page.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Timeline } from "../../parts/timeline.tsx";
import { mode } from "../../session/session.ts";
import { useParam } from "../../shell/use-param.ts";
import { bankDay, bankDays } from "./bank-days.ts";
import { chainName } from "./chains.ts";
import { Decisions } from "./decisions.tsx";
import { Instructions } from "./instructions.tsx";
import { PlayTheBank } from "./play-the-bank.tsx";
import { longSpan } from "./spans.ts";
import { useRampNow } from "./use-ramp-now.ts";
import { type TrackedTransaction, useTransaction } from "./use-transaction.ts";
import { eventTitle, isAwaited, outcomeOf } from "./words.ts";

/** What becomes of a transaction, in plain words and as it happens. */
export function TrackerPage() {
  const id = useParam("transaction");
  const { transaction, events, ledger } = useTransaction(id);
  return (
    <Page title={titleOf(transaction.data)} subtitle={<span className="font-mono">{id}</span>}>
      <Answered answer={transaction} height="40rem">
        {(found) => (
          <div className="grid items-start gap-4 xl:grid-cols-2">
            <div className="grid gap-4">
              <Standing of={found} />
              {mode.value === "sandbox" && (
                <div className="print:hidden">
                  <PlayTheBank of={found} />
                </div>
              )}
              {isAwaited(found.status) && (
                <Card title="How to pay">
                  <Instructions of={found.instructions} />
                </Card>
              )}
            </div>
            <div className="grid gap-4 print:hidden">
              <Card title="What happened">
                <Answered answer={events} height="8rem">
                  {(list) => (
                    <Timeline
                      moments={list.events.map((event) => ({
                        key: event.id,
                        at: event.createdAt,
                        title: eventTitle(event),
                        detail: <Json of={event.data.object} />,
                      }))}
                    />
                  )}
                </Answered>
              </Card>
              <Card title="The deal">
                <Deal of={found} />
              </Card>
            </div>
            <Card title="What was booked" className="xl:col-span-2 print:hidden">
              <Answered answer={ledger} height="6rem">
                {(lines) => (
                  <Table
                    caption="Ledger lines, oldest first"
                    columns={ledgerColumns}
                    rows={lines.map((line, index) => ({ ...line, index }))}
                    keyOf={({ index }) => String(index)}
                    empty="Nothing yet: no money has moved."
                  />
                )}
              </Answered>
            </Card>
          </div>
        )}
      </Answered>
    </Page>
  );
}

function Standing({ of: transaction }: { of: TrackedTransaction }) {
  const { status } = transaction;
  const now = useRampNow();
  const outcome = outcomeOf(transaction);
  return (
    <Card
      title="Where it stands"
      actions={
        <>
          <Badge tone={outcome.tone}>{outcome.words}</Badge>
          <StateBadge state={status.state} />
        </>
      }
    >
      <div role="status">
        <p className="text-lg">{status.explanation}</p>
        {status.unblockedBy && <p className="mt-1 text-warn">{status.unblockedBy}</p>}
      </div>
      <div className="mt-3">
        <Facts facts={standingFacts(status, now)} />
      </div>
      <Decisions of={transaction} />
    </Card>
  );
}

function standingFacts(status: TransactionStatus, now: number): [string, ReactNode][] {
  const { deadline, estimatedSendDate, estimatedSettlementDate, trace } = status;
  const facts: [string, ReactNode][] = [];
  if (deadline) facts.push(["Waits until", untilWords(deadline, now)]);
  if (estimatedSendDate) facts.push(["Sent on", bankDay(estimatedSendDate)]);
  if (estimatedSettlementDate) facts.push(["Expected", bankDays(estimatedSettlementDate)]);
  if (trace) facts.push(["Trace", <Trace key="trace" of={trace} />]);
  return [...facts, ["Last change", dateTime(status.updatedAt)]];
}

function untilWords(deadline: string, now: number): string {
  const left = millisecondsOf(deadline) - now;
  return left > 0 ? `${dateTime(deadline)}, in ${longSpan(left)}` : dateTime(deadline);
}

function Trace({ of: trace }: { of: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span className="truncate font-mono text-xs" title={trace}>
        {trace}
      </span>
      <CopyButton text={trace} />
    </span>
  );
}

function Deal({ of: transaction }: { of: TrackedTransaction }) {
  const { sourceOrder, destinationOrder, priceUsd, feeUsd, settlementMethod, createdAt } =
    transaction;
  const currency = sourceOrder.blockchain ? sourceOrder.currency : destinationOrder.currency;
  return (
    <Facts
      facts={[
        ["Pays", <Order key="source" of={sourceOrder} />],
        ["Gets", <Order key="destination" of={destinationOrder} />],
        ["Price", priceUsd === null ? "not known yet" : `1 ${currency} = $${price(priceUsd)}`],
        ["Fee", dollars(feeUsd)],
        ["By", settlementMethod],
        ["Ordered", dateTime(createdAt)],
      ]}
    />
  );
}

function Order({ of: order }: { of: RampOrder }) {
  const { quantity, currency, blockchain, walletId, bankAccountId } = order;
  return (
    <>
      <strong>
        {quantity === null ? "not known yet," : decimal(quantity, 18, currency === "USD" ? 2 : 0)}{" "}
        {currency}
      </strong>
      <span className="block text-quiet">
        {blockchain && `on ${chainName(blockchain)}, `}
        <Link href="/ramp/methods">{walletId ?? bankAccountId}</Link>
      </span>
    </>
  );
}

function titleOf(transaction: TrackedTransaction | undefined): string {
  if (!transaction) return "Transaction";
  const { type, sourceOrder, destinationOrder } = transaction;
  return type === "ON_RAMP"
    ? `Purchase of ${destinationOrder.currency}`
    : `Sale of ${sourceOrder.currency}`;
}

const ledgerColumns: Column<LedgerLine & { index: number }>[] = [
  { header: "What", cell: ({ kind }) => kind.replaceAll("_", " ") },
  {
    header: "Account",
    cell: ({ account }) => (
      <span className="font-mono text-xs whitespace-nowrap" title={account}>
        {account.replace(/^transaction:txn-\d+/, "transaction")}
      </span>
    ),
  },
  { header: "Debit", isFigure: true, cell: ({ debit, asset }) => booked(debit, asset) },
  { header: "Credit", isFigure: true, cell: ({ credit, asset }) => booked(credit, asset) },
  { header: "When", isExtra: true, cell: ({ createdAt }) => dateTime(createdAt) },
];

function booked(quantity: string | null, asset: string): string {
  return quantity === null ? "" : `${decimal(quantity, 18)} ${asset}`;
}
