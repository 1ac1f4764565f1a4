import type { ApiKey, ApiKeyWithSecret } from "@slipway/sdk";
import { useState } from "react";
import { Answered } from "../../parts/answered.tsx";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { Card } from "../../parts/card.tsx";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Fault } from "../../parts/fault.tsx";
import { When } from "../../parts/figures.tsx";
import { Page } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useAnswer, useOrder } from "../../session/use-answer.ts";
import { NewKeyForm } from "./new-key-form.tsx";
import { NewSecret } from "./new-secret.tsx";

const tones: Record<ApiKey["status"], Tone> = { active: "good", expired: "plain", revoked: "bad" };

/** The account's keys: made, rotated and ended here. */
export function KeysPage() {
  const current = useAnswer({ key: ["key"], ask: (client) => client.keys.current() });
  const keys = useAnswer({ key: ["keys"], ask: (client) => client.keys.list({ limit: 100 }) });
  const [made, setMade] = useState<ApiKeyWithSecret>();
  const rotate = useOrder({
    send: (client, id: string) => client.keys.rotate(id),
    changes: [["keys"]],
    done: setMade,
  });
  const revoke = useOrder({
    send: (client, id: string) => client.keys.revoke(id),
    changes: [["keys"]],
  });
  const columns: Column<ApiKey>[] = [
    {
      header: "Key",
      cell: ({ label, id }) => (
        <>
          <div className="font-medium">{label}</div>
          <div className="font-mono text-xs text-quiet">{id}</div>
        </>
      ),
    },
    { header: "State", cell: ({ status }) => <Badge tone={tones[status]}>{status}</Badge> },
    {
      header: "May",
      isExtra: true,
      cell: ({ scopes }) => <span className="text-xs">{scopes.join(", ")}</span>,
    },
    { header: "Last used", isExtra: true, cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
    { header: "Made", isExtra: true, cell: ({ createdAt }) => <When at={createdAt} /> },
    {
      header: "Change",
      cell: (key) => <KeyActions apiKey={key} onRotate={rotate.mutate} onRevoke={revoke.mutate} />,
    },
  ];
  return (
    <Page
      title="API keys"
      subtitle="What programs sign in with. A key is shown once, when it is made."
    >
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <Card title="Keys of this account">
          <Fault of={rotate.error ?? revoke.error} />
          <Answered answer={keys} height="16rem">
            {(list) => (
              <Table
                caption="Keys of this account"
                columns={columns}
                rows={list}
                keyOf={({ id }) => id}
              />
            )}
          </Answered>
        </Card>
        <div className="grid content-start gap-4">
          {made && (
            <NewSecret
              title={`The new key “${made.label}”`}
              secret={made.key}
              onDone={() => setMade(undefined)}
            />
          )}
          <Card title="Make a key">
            <Answered answer={current} height="14rem">
              {({ scopes }) => <NewKeyForm scopes={scopes} onMade={setMade} />}
            </Answered>
          </Card>
          <Card title="The key in use">
            <Answered answer={current}>
              {(key) => (
                <Facts
                  facts={[
                    ["Name", key.label],
                    ["Id", <code key="id">{key.id}</code>],
                    ["Account", <code key="account">{key.userId}</code>],
                    ["Mode", key.mode],
                    ["May", key.scopes.join(", ")],
                  ]}
                />
              )}
            </Answered>
          </Card>
        </div>
      </div>
    </Page>
  );
}

type ActionsProps = { apiKey: ApiKey; onRotate(id: string): void; onRevoke(id: string): void };

function KeyActions({ apiKey: { id, label, status, isFixed }, onRotate, onRevoke }: ActionsProps) {
  if (status !== "active") return <span className="text-quiet">–</span>;
  if (isFixed) return <span className="text-xs text-quiet">belongs to the sandbox</span>;
  return (
    <span className="flex flex-wrap gap-2">
      <ConfirmButton
        label="Rotate"
        question={`Rotate ${label}?`}
        action="Make its successor"
        onConfirm={() => onRotate(id)}
      >
        <p>A new key with the same rights is made. The old one goes on for a day.</p>
      </ConfirmButton>
      <ConfirmButton
        label="Revoke"
        question={`Revoke ${label}?`}
        action="Revoke it now"
        onConfirm={() => onRevoke(id)}
      >
        <p>Whatever uses it stops working at once. This cannot be taken back.</p>
      </ConfirmButton>
    </span>
  );
}
