import type { TransactionFile } from "@slipway/sdk";
import { decimal, dollars } from "../../lib/figures.ts";
import { Card } from "../../parts/card.tsx";
import { LongId, When } from "../../parts/figures.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Table } from "../../parts/table.tsx";

/** What came in for a transaction, and what went out. */
export function MoneyOfTransaction({ file }: { file: TransactionFile }) {
  const { wires, deposits, payouts } = file;
  const came = [
    ...wires.map(({ id, amountUsd, senderName, state, createdAt }) => ({
      id,
      what: `${dollars(amountUsd)} from ${senderName}`,
      trace: id,
      state,
      createdAt,
    })),
    ...deposits.map(({ id, quantity, currency, transactionHash, use, createdAt }) => ({
      id,
      what: `${decimal(quantity, 18)} ${currency}`,
      trace: transactionHash,
      state: use,
      createdAt,
    })),
  ];
  const went = payouts.map(({ id, quantity, asset, rail, purpose, state, trace, createdAt }) => ({
    id,
    what: `${decimal(quantity, 18)} ${asset} by ${rail} (${purpose.replaceAll("_", " ")})`,
    trace: trace ?? id,
    state,
    createdAt,
  }));
  return (
    <>
      <Card title="What came in">
        <Moves caption="What came in" moves={came} empty="Nothing has come yet." />
      </Card>
      <Card title="What went out">
        <Moves caption="What went out" moves={went} empty="Nothing has gone out yet." />
      </Card>
    </>
  );
}

type Move = { id: string; what: string; trace: string; state: string; createdAt: string };

function Moves({
  caption,
  moves,
  empty,
}: {
  caption: string;
  moves: readonly Move[];
  empty: string;
}) {
  return (
    <Table
      caption={caption}
      rows={moves}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        {
          header: "What",
          cell: ({ what, trace }) => (
            <>
              <div>{what}</div>
              <LongId of={trace} />
            </>
          ),
        },
        { header: "State", cell: ({ state }) => <StateBadge state={state} /> },
        { header: "When", isExtra: true, cell: ({ createdAt }) => <When at={createdAt} /> },
      ]}
    />
  );
}
