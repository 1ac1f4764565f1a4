import type { Webhook, WebhookDelivery, WebhookWithSecret } from "@slipway/sdk";
import { useState } from "react";
import { useLocation } from "wouter";
import { Answered } from "../../parts/answered.tsx";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Fault } from "../../parts/fault.tsx";
import { When } from "../../parts/figures.tsx";
import { Page } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useAnswer, useOrder } from "../../session/use-answer.ts";
import { useParam } from "../../shell/use-param.ts";
import { NewSecret } from "./new-secret.tsx";

const everyMs = 2_000;
const tones: Record<WebhookDelivery["state"], Tone> = {
  delivered: "good",
  pending: "plain",
  failed: "bad",
};

/** One webhook: what was sent to it, and how it answered. */
export function WebhookPage() {
  const id = useParam("webhook");
  const [secret, setSecret] = useState<string>();
  const webhook = useAnswer({
    key: ["webhook", id],
    ask: (client) => client.ramp.webhooks.get(id),
  });
  const deliveries = useAnswer({
    key: ["webhook", id, "deliveries"],
    ask: (client) => client.ramp.webhooks.deliveries(id, { limit: 100 }),
    everyMs,
  });
  const replay = useOrder({
    send: (client, deliveryId: string) => client.ramp.webhooks.replayDelivery(id, deliveryId),
    changes: [["webhook", id]],
  });
  const columns: Column<WebhookDelivery>[] = [
    {
      header: "Event",
      cell: ({ eventType, eventId }) => (
        <>
          <div className="break-all">{eventType}</div>
          <div className="font-mono text-xs text-quiet">{eventId}</div>
        </>
      ),
    },
    {
      header: "State",
      cell: ({ state, lastStatus, lastError }) => (
        <>
          <Badge tone={tones[state]}>
            {state} {lastStatus ?? ""}
          </Badge>
          {lastError && <div className="text-xs text-quiet">{lastError}</div>}
        </>
      ),
    },
    { header: "Tries", isFigure: true, isExtra: true, cell: ({ attempts }) => attempts },
    { header: "When", isExtra: true, cell: ({ createdAt }) => <When at={createdAt} /> },
    {
      header: "Again",
      cell: (delivery) => (
        <Button className="whitespace-nowrap" onClick={() => replay.mutate(delivery.id)}>
          Send again
        </Button>
      ),
    },
  ];
  return (
    <Page title="Webhook" subtitle={<span className="break-all">{webhook.data?.url ?? id}</span>}>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <Card title="What was sent">
          <Fault of={replay.error} />
          <Answered answer={deliveries} height="20rem">
            {(list) => (
              <Table
                caption="Deliveries, newest first"
                columns={columns}
                rows={list}
                keyOf={(delivery) => delivery.id}
                empty="Nothing yet. Send a test event to see whether it arrives."
              />
            )}
          </Answered>
        </Card>
        <div className="grid content-start gap-4">
          {secret && (
            <NewSecret title="The new secret" secret={secret} onDone={() => setSecret(undefined)} />
          )}
          <Card title="About it">
            <Answered answer={webhook} height="12rem">
              {(found) => <About webhook={found} onSecret={setSecret} />}
            </Answered>
          </Card>
        </div>
      </div>
    </Page>
  );
}

type AboutProps = { webhook: Webhook; onSecret(secret: string): void };

function About({ webhook, onSecret }: AboutProps) {
  const { id, status, disabledReason, eventTypes, description, createdAt } = webhook;
  const [, go] = useLocation();
  const changes = [["webhook", id], ["webhooks"]];
  const test = useOrder({
    send: (client, _: undefined) => client.ramp.webhooks.test(id),
    changes,
  });
  const enable = useOrder({
    send: (client, _: undefined) => client.ramp.webhooks.enable(id),
    changes,
  });
  const rotate = useOrder({
    send: (client, _: undefined) => client.ramp.webhooks.rotate(id),
    changes,
    done: ({ secret }: WebhookWithSecret) => onSecret(secret),
  });
  const remove = useOrder({
    send: (client, _: undefined) => client.ramp.webhooks.delete(id),
    changes: [["webhooks"]],
    done: () => go("/developer/webhooks"),
  });
  return (
    <div className="grid gap-4">
      <Facts
        facts={[
          ["Id", <code key="id">{id}</code>],
          ["State", status],
          ...(disabledReason ? ([["Why", disabledReason]] as const) : []),
          ["Events", eventTypes.join(", ") || "all"],
          ["For", description || "–"],
          ["Added", <When key="added" at={createdAt} />],
        ]}
      />
      <Fault of={test.error ?? enable.error ?? rotate.error ?? remove.error} />
      <div className="flex flex-wrap gap-2">
        <Button look="main" onClick={() => test.mutate(undefined)}>
          Send a test event
        </Button>
        {status === "disabled" && <Button onClick={() => enable.mutate(undefined)}>Enable</Button>}
        <ConfirmButton
          label="New secret"
          question="Make a new secret?"
          action="Make it"
          onConfirm={() => rotate.mutate(undefined)}
        >
          <p>The old one goes on signing for a day, so that you can change over.</p>
        </ConfirmButton>
        <ConfirmButton
          label="Remove"
          question="Remove this webhook?"
          action="Remove it"
          onConfirm={() => remove.mutate(undefined)}
        >
          <p>Nothing more is sent to it. Its events stay readable at /v2/ramp/events.</p>
        </ConfirmButton>
      </div>
    </div>
  );
}
