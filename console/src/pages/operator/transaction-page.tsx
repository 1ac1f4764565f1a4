import type { OperatorAction, TransactionFile } from "@slipway/sdk";
import { Link } from "wouter";
import { decimal, dollars, price } from "../../lib/figures.ts";
import { dateTime } from "../../lib/times.ts";
import { Answered } from "../../parts/answered.tsx";
import { Card } from "../../parts/card.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Fault } from "../../parts/fault.tsx";
import { Json } from "../../parts/json.tsx";
import { NoteButton } from "../../parts/note-button.tsx";
import { Page } from "../../parts/page.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Timeline } from "../../parts/timeline.tsx";
import { useAnswer, useOrder } from "../../session/use-answer.ts";
import { useParam } from "../../shell/use-param.ts";
import { MoneyOfTransaction } from "./money-of-transaction.tsx";
import { Postings } from "./postings.tsx";

const words: Record<OperatorAction, { label: string; question: string }> = {
  release: { label: "Release", question: "Let it go on?" },
  refund: { label: "Refund", question: "Send the money back?" },
  retry: { label: "Try again", question: "Try the payout once more?" },
  writeOff: { label: "Write off", question: "Close it, and keep what is left?" },
};

/** Everything there is to know about one transaction, and what may be decided now. */
export function TransactionPage() {
  const id = useParam("transaction");
  const file = useAnswer({
    key: ["operator", "transaction", id],
    role: "operator",
    everyMs: 3_000,
    ask: (client) => client.operator.transactions.get(id),
  });
  const decide = useOrder({
    role: "operator",
    send: (client, { action, note }: { action: OperatorAction; note: string }) =>
      client.operator.transactions[action](id, note),
    changes: [["operator"]],
  });
  return (
    <Page title={id} subtitle={file.data && <StateBadge state={file.data.transaction.state} />}>
      <Fault of={decide.error} />
      <Answered answer={file} height="40rem">
        {(found) => (
          <div className="grid items-start gap-4 xl:grid-cols-2">
            <Card title="Where it stands">
              <p>{found.status.explanation}</p>
              {found.status.unblockedBy && (
                <p className="text-warn">What lets it go on: {found.status.unblockedBy}</p>
              )}
              {found.status.deadline && (
                <p className="text-quiet">By itself at {dateTime(found.status.deadline)}</p>
              )}
              <div className="mt-3 flex flex-wrap gap-2">
                {found.actions.map((action) => (
                  <NoteButton
                    key={action}
                    {...words[action]}
                    look={action === "writeOff" ? "danger" : "plain"}
                    onConfirm={(note) => decide.mutate({ action, note })}
                  />
                ))}
                {found.actions.length === 0 && (
                  <span className="text-quiet">Nothing is to be decided now.</span>
                )}
              </div>
            </Card>
            <Card title="The deal">
              <Deal file={found} />
            </Card>
            <Card title="What happened">
              <Timeline
                moments={found.steps.map(({ version, kind, state, createdAt, data }) => ({
                  key: String(version),
                  at: createdAt,
                  title: (
                    <>
                      {kind.replaceAll("_", " ")} <StateBadge state={state} />
                    </>
                  ),
                  detail: <Json of={data} />,
                }))}
              />
            </Card>
            <div className="grid content-start gap-4">
              <MoneyOfTransaction file={found} />
              <Card title="Events that were told">
                <Timeline
                  moments={found.events.map(({ id: event, type, createdAt, data }) => ({
                    key: event,
                    at: createdAt,
                    title: type,
                    detail: <Json of={data} />,
                  }))}
                />
              </Card>
            </div>
            <Card title="Postings" className="xl:col-span-2">
              <Postings lines={found.ledger} />
            </Card>
          </div>
        )}
      </Answered>
    </Page>
  );
}

function Deal({ file: { transaction } }: { file: TransactionFile }) {
  const { sourceOrder, destinationOrder, userId } = transaction;
  const side = (order: typeof sourceOrder) =>
    `${decimal(order.quantity, 18)} ${order.currency}${order.blockchain ? ` on ${order.blockchain}` : ""}`;
  return (
    <Facts
      facts={[
        ["Kind", transaction.type === "ON_RAMP" ? "purchase" : "sale"],
        ["By", transaction.settlementMethod],
        ["From", side(sourceOrder)],
        ["To", side(destinationOrder)],
        ["Price", `${price(transaction.priceUsd)} USD`],
        ["Price from", transaction.priceSources?.join(", ") || "–"],
        ["Fee", dollars(transaction.feeUsd)],
        [
          "Account",
          <Link key="account" href={`/operator/verifications/${userId}`}>
            {userId}
          </Link>,
        ],
        ["Created", dateTime(transaction.createdAt)],
        ["Flagged", transaction.flaggedAt ? dateTime(transaction.flaggedAt) : "no"],
        ["Completed", transaction.completedAt ? dateTime(transaction.completedAt) : "not yet"],
      ]}
    />
  );
}
