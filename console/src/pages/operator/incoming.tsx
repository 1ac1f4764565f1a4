import type { Deposit, IncomingWire } from "@slipway/sdk";
import { Link } from "wouter";
import { decimal, dollars } from "../../lib/figures.ts";
import { Answered } from "../../parts/answered.tsx";
import { Fault } from "../../parts/fault.tsx";
import { LongId, When } from "../../parts/figures.tsx";
import { NoteButton } from "../../parts/note-button.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useAnswer, useOrder } from "../../session/use-answer.ts";

const changes = [["operator"]];

/** Wires that came in; those that belong to nothing can be matched or sent back. */
export function Wires() {
  const wires = useAnswer({
    key: ["operator", "wires"],
    role: "operator",
    everyMs: 5_000,
    ask: (client) => client.operator.wires.list({ limit: 200 }),
  });
  const match = useOrder({
    role: "operator",
    send: (client, { id, transactionId }: { id: string; transactionId: string }) =>
      client.operator.wires.match(id, transactionId),
    changes,
  });
  const sendBack = useOrder({
    role: "operator",
    send: (client, { id, note }: { id: string; note: string }) =>
      client.operator.wires.return(id, note),
    changes,
  });
  const columns: Column<IncomingWire>[] = [
    {
      header: "Wire",
      cell: ({ id, senderName, senderAccount, texts }) => (
        <>
          <div>
            {senderName} <span className="text-quiet">…{senderAccount}</span>
          </div>
          <div className="font-mono text-xs text-quiet">{id}</div>
          <div className="text-xs text-quiet">{texts.join(" / ")}</div>
        </>
      ),
    },
    { header: "Amount", isFigure: true, cell: ({ amountUsd }) => dollars(amountUsd) },
    {
      header: "State",
      cell: ({ state, reason }) => (
        <>
          <StateBadge state={state} />
          {reason && <div className="text-xs text-quiet">{reason}</div>}
        </>
      ),
    },
    {
      header: "For",
      isExtra: true,
      cell: ({ transactionId }) => <Transaction id={transactionId} />,
    },
    { header: "Came", isExtra: true, cell: ({ createdAt }) => <When at={createdAt} /> },
    {
      header: "Change",
      cell: ({ id, state }) =>
        state === "suspense" ? (
          <span className="flex flex-wrap gap-2">
            <NoteButton
              label="Match"
              question="Which transaction is it for?"
              noteLabel="Transaction (txn-…)"
              onConfirm={(transactionId) => match.mutate({ id, transactionId })}
            />
            <NoteButton
              label="Send back"
              question="Send it back to where it came from?"
              onConfirm={(note) => sendBack.mutate({ id, note })}
            />
          </span>
        ) : (
          <span className="text-quiet">–</span>
        ),
    },
  ];
  return (
    <>
      <Fault of={match.error ?? sendBack.error} />
      <Answered answer={wires} height="20rem">
        {(list) => (
          <Table
            caption="Wires, newest first"
            columns={columns}
            rows={list}
            keyOf={({ id }) => id}
            empty="No wire has come yet."
          />
        )}
      </Answered>
    </>
  );
}

/** Crypto that came to our addresses; what counts for nothing can be sent back. */
export function Deposits() {
  const deposits = useAnswer({
    key: ["operator", "deposits"],
    role: "operator",
    everyMs: 5_000,
    ask: (client) => client.operator.deposits.list({ limit: 200 }),
  });
  const sendBack = useOrder({
    role: "operator",
    send: (client, { id, note }: { id: string; note: string }) =>
      client.operator.deposits.return(id, note),
    changes,
  });
  const columns: Column<Deposit>[] = [
    {
      header: "Deposit",
      cell: ({ id, transactionHash }) => (
        <>
          <div className="font-mono text-xs">{id}</div>
          <LongId of={transactionHash} />
        </>
      ),
    },
    {
      header: "Quantity",
      isFigure: true,
      cell: ({ quantity, currency }) => `${decimal(quantity, 18)} ${currency}`,
    },
    { header: "Chain", isExtra: true, cell: ({ blockchain }) => blockchain },
    {
      header: "State",
      cell: ({ state, use, reason }) => (
        <>
          <StateBadge state={use} /> <span className="text-quiet">{state}</span>
          {reason && <div className="text-xs text-quiet">{reason}</div>}
        </>
      ),
    },
    {
      header: "For",
      isExtra: true,
      cell: ({ transactionId }) => <Transaction id={transactionId} />,
    },
    { header: "Came", isExtra: true, cell: ({ createdAt }) => <When at={createdAt} /> },
    {
      header: "Change",
      cell: ({ id, use }) =>
        use === "suspense" ? (
          <NoteButton
            label="Send back"
            question="Send it back to where it came from?"
            onConfirm={(note) => sendBack.mutate({ id, note })}
          />
        ) : (
          <span className="text-quiet">–</span>
        ),
    },
  ];
  return (
    <>
      <Fault of={sendBack.error} />
      <Answered answer={deposits} height="20rem">
        {(list) => (
          <Table
            caption="Deposits, newest first"
            columns={columns}
            rows={list}
            keyOf={({ id }) => id}
            empty="No crypto has come yet."
          />
        )}
      </Answered>
    </>
  );
}

function Transaction({ id }: { id: string | null }) {
  return id ? <Link href={`/operator/transactions/${id}`}>{id}</Link> : <span>–</span>;
}
