import type { BankFile } from "@slipway/sdk";
import { useRef, useState } from "react";
import { dollars } from "../../lib/figures.ts";
import { Answered } from "../../parts/answered.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Fault } from "../../parts/fault.tsx";
import { When } from "../../parts/figures.tsx";
import { NoteButton } from "../../parts/note-button.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useAnswer, useOrder } from "../../session/use-answer.ts";

const changes = [["operator"]];

/** The files that went to the bank and came from it. */
export function BankFiles() {
  const files = useAnswer({
    key: ["operator", "files"],
    role: "operator",
    everyMs: 5_000,
    ask: (client) => client.operator.bankFiles.list({ limit: 200 }),
  });
  const approve = useOrder({
    role: "operator",
    send: (client, id: string) => client.operator.bankFiles.approve(id),
    changes,
  });
  const withdraw = useOrder({
    role: "operator",
    send: (client, { id, note }: { id: string; note: string }) =>
      client.operator.bankFiles.withdraw(id, note),
    changes,
  });
  const columns: Column<BankFile>[] = [
    {
      header: "File",
      cell: ({ name, format, direction, problem }) => (
        <>
          <div className="font-mono text-xs break-all">{name}</div>
          <div className="text-xs text-quiet">
            {direction === "out" ? "to the bank" : "from the bank"}, {format}
          </div>
          {problem && <div className="text-xs text-bad">{problem}</div>}
        </>
      ),
    },
    { header: "State", cell: ({ state }) => <StateBadge state={state} /> },
    { header: "Entries", isFigure: true, isExtra: true, cell: ({ entryCount }) => entryCount },
    { header: "Amount", isFigure: true, cell: ({ amountUsd }) => dollars(amountUsd) },
    { header: "Made", isExtra: true, cell: ({ createdAt }) => <When at={createdAt} /> },
    {
      header: "Change",
      cell: ({ id, state }) => (
        <span className="flex flex-wrap gap-2">
          <FileContent id={id} />
          {state === "held" && <Button onClick={() => approve.mutate(id)}>Approve</Button>}
          {(state === "held" || state === "ready") && (
            <NoteButton
              label="Withdraw"
              question="Take the file back? Its payouts go with the next one."
              onConfirm={(note) => withdraw.mutate({ id, note })}
            />
          )}
        </span>
      ),
    },
  ];
  return (
    <>
      <Fault of={approve.error ?? withdraw.error} />
      <Answered answer={files} height="20rem">
        {(list) => (
          <Table
            caption="Bank files, newest first"
            columns={columns}
            rows={list}
            keyOf={({ id }) => id}
            empty="No file has been written yet: ACH payments go with the next one at 17:05 in New York."
          />
        )}
      </Answered>
    </>
  );
}

/** The text is asked for only when somebody wants it: who reads a file is written down. */
function FileContent({ id }: { id: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isWanted, setWanted] = useState(false);
  const content = useAnswer({
    key: ["operator", "file", id],
    role: "operator",
    isWanted,
    ask: (client) => client.operator.bankFiles.content(id),
  });
  return (
    <>
      <Button
        onClick={() => {
          setWanted(true);
          dialog.current?.showModal();
        }}
      >
        Read
      </Button>
      <Dialog ref={dialog} title="What is in the file">
        {isWanted && (
          <Answered answer={content} height="20rem">
            {({ text }) => (
              <pre
                className="max-h-[60vh] overflow-auto rounded-md bg-raised p-2 font-mono text-xs"
                tabIndex={0}
              >
                {text}
              </pre>
            )}
          </Answered>
        )}
      </Dialog>
    </>
  );
}
