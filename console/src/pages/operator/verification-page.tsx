import type { AccountKind } from "@slipway/sdk";
import { type FormEvent, useState } from "react";
import { Answered } from "../../parts/answered.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Fault } from "../../parts/fault.tsx";
import { Choice, Field } from "../../parts/fields.tsx";
import { When } from "../../parts/figures.tsx";
import { Page } from "../../parts/page.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Timeline } from "../../parts/timeline.tsx";
import { useAnswer, useOrder } from "../../session/use-answer.ts";
import { useParam } from "../../shell/use-param.ts";

/** One account: who it is, what was decided before, and the decision. */
export function VerificationPage() {
  const userId = useParam("user");
  const account = useAnswer({
    key: ["operator", "account", userId],
    role: "operator",
    ask: (client) => client.operator.accounts.get(userId),
  });
  return (
    <Page title={account.data?.name ?? "Verification"} subtitle={<code>{userId}</code>}>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card title="Who it is">
          <Answered answer={account} height="14rem">
            {(file) => (
              <Facts
                facts={[
                  ["Name", file.name],
                  ["E-mail", file.email],
                  ["Kind", file.kind],
                  ["Verification", <StateBadge key="state" state={file.verification} />],
                  ["Master account", file.masterId ?? "itself"],
                  ["Subaccounts", file.subaccounts],
                  ["Since", <When key="since" at={file.createdAt} />],
                ]}
              />
            )}
          </Answered>
        </Card>
        <Card title="Decide">
          <DecisionForm userId={userId} />
        </Card>
        <Card title="Decisions so far" className="lg:col-span-2">
          <Answered answer={account}>
            {({ decisions }) =>
              decisions.length === 0 ? (
                <p className="text-quiet">None yet.</p>
              ) : (
                <Timeline
                  moments={decisions.map(({ status, reason, decidedBy, at }) => ({
                    key: `${at} ${status}`,
                    at,
                    title: (
                      <>
                        <StateBadge state={status} /> {reason}{" "}
                        <span className="text-quiet">({decidedBy})</span>
                      </>
                    ),
                  }))}
                />
              )
            }
          </Answered>
        </Card>
      </div>
    </Page>
  );
}

function DecisionForm({ userId }: { userId: string }) {
  const [reason, setReason] = useState("");
  const [kind, setKind] = useState<AccountKind>("person");
  const decide = useOrder({
    role: "operator",
    send: (client, verdict: "approve" | "reject") =>
      client.operator.verifications[verdict](userId, reason, { kind }),
    changes: [["operator"]],
    done: () => setReason(""),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
  }
  return (
    <form onSubmit={submit} className="grid gap-3">
      <Field
        label="Reason"
        hint="It is written into the audit log."
        required
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <Choice
        label="Kind"
        hint="A firm’s money goes another way than a person’s."
        value={kind}
        onChange={({ currentTarget }) =>
          setKind(currentTarget.value === "business" ? "business" : "person")
        }
      >
        <option value="person">person</option>
        <option value="business">business</option>
      </Choice>
      <Fault of={decide.error} />
      <p role="status">{decide.data && `✓ The account is now: ${decide.data.status}.`}</p>
      <div className="flex gap-2">
        <Button look="main" disabled={!reason} onClick={() => decide.mutate("approve")}>
          Approve
        </Button>
        <Button look="danger" disabled={!reason} onClick={() => decide.mutate("reject")}>
          Reject
        </Button>
      </div>
    </form>
  );
}
