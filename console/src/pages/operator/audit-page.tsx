import type { AuditLine } from "@slipway/sdk";
import { dateTime } from "../../lib/times.ts";
import { Answered } from "../../parts/answered.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Fault } from "../../parts/fault.tsx";
import { Json } from "../../parts/json.tsx";
import { Page } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useAnswer, useOrder } from "../../session/use-answer.ts";

/** Who decided what. Each line’s hash covers the line before, so that none can be changed unnoticed. */
export function AuditPage() {
  const lines = useAnswer({
    key: ["operator", "audit"],
    role: "operator",
    everyMs: 10_000,
    ask: (client) => client.operator.audit.list({ limit: 200 }),
  });
  const verify = useOrder({
    role: "operator",
    send: (client, _: undefined) => client.operator.audit.verify(),
  });
  const { data } = verify;
  return (
    <Page
      title="Audit log"
      subtitle="Who decided what. Each line’s hash covers the line before."
      actions={
        <Button disabled={verify.isPending} onClick={() => verify.mutate(undefined)}>
          Verify the chain
        </Button>
      }
    >
      <Fault of={verify.error} />
      <p role="status" className={data?.ok === false ? "mb-3 text-bad" : "mb-3 text-up"}>
        {data &&
          (data.ok
            ? `✓ ${data.checked} lines are as they were written.`
            : `✗ Line ${data.brokenAt} is not as it was written.`)}
      </p>
      <Card>
        <Answered answer={lines} height="30rem">
          {(list) => (
            <Table
              caption="Audit log, newest first"
              columns={columns}
              rows={list}
              keyOf={({ sequence }) => String(sequence)}
            />
          )}
        </Answered>
      </Card>
    </Page>
  );
}

const columns: Column<AuditLine>[] = [
  { header: "Line", isFigure: true, cell: ({ sequence }) => sequence },
  { header: "When", cell: ({ at }) => dateTime(at) },
  {
    header: "What",
    cell: ({ action, target, detail }) => (
      <>
        <span className="font-medium">{action}</span>{" "}
        <span className="font-mono text-xs break-all">{target}</span>
        <details>
          <summary className="text-xs text-quiet">Details</summary>
          <Json of={detail} />
        </details>
      </>
    ),
  },
  {
    header: "Who",
    isExtra: true,
    cell: ({ keyId, ip }) => (
      <span className="font-mono text-xs">
        {keyId ?? "the service"} {ip ?? ""}
      </span>
    ),
  },
];
