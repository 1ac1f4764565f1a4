import type { RampTransaction } from "@slipway/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { decimal } from "../../lib/figures.ts";
import { useChannel } from "../../live/use-channel.ts";
import { useFallback } from "../../live/use-fallback.ts";
import { Answered } from "../../parts/answered.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Card } from "../../parts/card.tsx";
import { When } from "../../parts/figures.tsx";
import { Table } from "../../parts/table.tsx";
import { useAnswer } from "../../session/use-answer.ts";

const shownMost = 5;

/** The account's last transactions on the ramp. */
export function LastTransactions() {
  const queries = useQueryClient();
  const transactions = useAnswer({
    key: ["transactions", "last"],
    ask: (client) => client.ramp.transactions.list({ limit: shownMost }),
    ...useFallback(),
  });
  useChannel("ramp.transactions", ({ type }) => {
    if (type !== "event" && type !== "gap") return;
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[2] === "transactions" && queryKey[3] === "last",
    });
  });
  return (
    <Card title="Ramp" actions={<Link href="/ramp/transactions">All transactions</Link>}>
      <Answered answer={transactions} height="8rem">
        {(found) => (
          <Table
            caption="The account's last transactions"
            rows={found}
            keyOf={({ id }) => id}
            empty={<NoTransactions />}
            columns={[
              {
                header: "Transaction",
                cell: ({ id, type, sourceOrder, destinationOrder }) => (
                  <>
                    <Link href={`/ramp/transactions/${id}`}>
                      {type === "ON_RAMP" ? "Buy" : "Sell"} {amountOf(sourceOrder)} →{" "}
                      {amountOf(destinationOrder)}
                    </Link>
                    <div className="font-mono text-xs text-quiet">{id}</div>
                  </>
                ),
              },
              { header: "State", cell: (transaction) => <TransactionState of={transaction} /> },
            ]}
          />
        )}
      </Answered>
    </Card>
  );
}

function NoTransactions() {
  return (
    <>
      No transactions yet.{" "}
      <Link href="/ramp/buy" className="underline">
        Buy
      </Link>{" "}
      or{" "}
      <Link href="/ramp/sell" className="underline">
        sell
      </Link>{" "}
      crypto to see one move.
    </>
  );
}

function amountOf({ quantity, currency }: RampTransaction["sourceOrder"]): string {
  return quantity === null ? `… ${currency}` : `${decimal(quantity, 6)} ${currency}`;
}

function TransactionState({ of: transaction }: { of: RampTransaction }) {
  const { completedAt, flaggedAt, createdAt } = transaction;
  if (completedAt)
    return (
      <Badge tone="good">
        ✓ done <When at={completedAt} />
      </Badge>
    );
  if (flaggedAt)
    return (
      <Badge tone="bad">
        ! held <When at={flaggedAt} />
      </Badge>
    );
  return (
    <Badge>
      … open <When at={createdAt} />
    </Badge>
  );
}
