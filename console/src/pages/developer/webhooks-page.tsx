import type { Webhook, WebhookWithSecret } from "@slipway/sdk";
import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { Answered } from "../../parts/answered.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Fault } from "../../parts/fault.tsx";
import { Field } from "../../parts/fields.tsx";
import { When } from "../../parts/figures.tsx";
import { Page } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useAnswer, useOrder } from "../../session/use-answer.ts";
import { NewSecret } from "./new-secret.tsx";

/** Where events are sent to. */
export function WebhooksPage() {
  const webhooks = useAnswer({
    key: ["webhooks"],
    ask: (client) => client.ramp.webhooks.list(),
  });
  const [made, setMade] = useState<WebhookWithSecret>();
  return (
    <Page
      title="Webhooks"
      subtitle="Every event of the ramp, signed and sent to you until you have it."
    >
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <Card title="Where events go">
          <Answered answer={webhooks} height="12rem">
            {(list) => (
              <Table
                caption="Webhooks"
                columns={columns}
                rows={list}
                keyOf={({ id }) => id}
                empty="None yet. Without a server at hand, `slipway listen` prints the same events."
              />
            )}
          </Answered>
        </Card>
        <div className="grid content-start gap-4">
          {made && (
            <NewSecret
              title="The webhook’s secret"
              secret={made.secret}
              onDone={() => setMade(undefined)}
            />
          )}
          <Card title="Add a webhook">
            <NewWebhookForm onMade={setMade} />
          </Card>
        </div>
      </div>
    </Page>
  );
}

const columns: Column<Webhook>[] = [
  {
    header: "Address",
    cell: ({ id, url, description }) => (
      <>
        <Link href={`/developer/webhooks/${id}`} className="break-all">
          {url}
        </Link>
        <div className="text-xs text-quiet">{description || id}</div>
      </>
    ),
  },
  {
    header: "State",
    cell: ({ status, disabledReason }) => (
      <>
        <Badge tone={status === "enabled" ? "good" : "bad"}>{status}</Badge>
        {disabledReason && <div className="text-xs text-quiet">{disabledReason}</div>}
      </>
    ),
  },
  {
    header: "Events",
    isExtra: true,
    cell: ({ eventTypes }) => <span className="text-xs">{eventTypes.join(", ") || "all"}</span>,
  },
  { header: "Added", isExtra: true, cell: ({ createdAt }) => <When at={createdAt} /> },
];

function NewWebhookForm({ onMade }: { onMade(webhook: WebhookWithSecret): void }) {
  const [url, setUrl] = useState("");
  const [types, setTypes] = useState("");
  const [description, setDescription] = useState("");
  const create = useOrder({
    send: (client, _: undefined) => {
      const eventTypes = types.split(/[\s,]+/).filter(Boolean);
      return client.ramp.webhooks.create({ url, description, eventTypes });
    },
    changes: [["webhooks"]],
    done(webhook) {
      setUrl("");
      onMade(webhook);
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    create.mutate(undefined);
  }
  return (
    <form onSubmit={submit} className="grid gap-3">
      <Field
        label="Address"
        type="url"
        required
        placeholder="https://example.com/slipway"
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <Field
        label="Events"
        hint="Such as ramp.transaction.*; nothing means all."
        value={types}
        onChange={({ currentTarget }) => setTypes(currentTarget.value)}
      />
      <Field
        label="What it is for"
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <Fault of={create.error} />
      <Button look="main" type="submit" disabled={create.isPending || !url}>
        Add the webhook
      </Button>
    </form>
  );
}
