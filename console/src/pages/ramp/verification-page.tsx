import type { AccountVerification, VerificationStatus } from "@slipway/sdk";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { Answered } from "../../parts/answered.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Fault } from "../../parts/fault.tsx";
import { Page } from "../../parts/page.tsx";
import { keys, mode, sandboxKeys, signIn } from "../../session/session.ts";
import { useAnswer, useOrder } from "../../session/use-answer.ts";
import { RadioList } from "./radio-list.tsx";
import { verificationWords } from "./words.ts";

const everyMs = 5_000;
const changes = [["ramp", "verification"]];

/** Whether this account may buy and sell, and how it comes to. */
export function VerificationPage() {
  const verification = useAnswer({
    key: ["ramp", "verification"],
    everyMs,
    ask: (client) => client.ramp.verification.get(),
  });
  return (
    <Page title="Verification" subtitle="Only a verified account can buy and sell.">
      <div className="grid items-start gap-4 lg:grid-cols-2 xl:max-w-6xl">
        <Card title="Where you stand">
          <Answered answer={verification} height="10rem">
            {(found) => <Standing of={found} />}
          </Answered>
        </Card>
        {mode.value === "sandbox" && (
          <>
            <Identity />
            {verification.data && <Outcomes userId={verification.data.userId} />}
          </>
        )}
      </div>
    </Page>
  );
}

function Standing({ of: { userId, status, reason, url } }: { of: AccountVerification }) {
  const start = useOrder({
    send: (client, _: undefined) => client.ramp.verification.start(),
    changes,
  });
  const { title, tone, words } = verificationWords[status];
  const papers = start.data?.url ?? url;
  return (
    <div className="grid gap-3">
      <div role="status">
        <Badge tone={tone}>{title}</Badge>
        <p className="mt-2 text-lg">{words}</p>
      </div>
      <Facts
        facts={[
          [
            "Account",
            <span key="account" className="font-mono">
              {userId}
            </span>,
          ],
          ...(reason === null ? [] : [["Because", reason] as const]),
        ]}
      />
      {papers && (
        <p>
          <a href={papers}>Show your papers ↗</a> <span className="text-quiet">(works once)</span>
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        {status === "approved" ? (
          <>
            <Link href="/ramp/buy">Buy</Link> <Link href="/ramp/sell">Sell</Link>
          </>
        ) : (
          <Button look="main" disabled={start.isPending} onClick={() => start.mutate(undefined)}>
            {status === "none" ? "Ask for verification" : "Ask again"}
          </Button>
        )}
      </div>
      <Fault of={start.error} />
    </div>
  );
}

/** The sandbox has a customer of either kind. */
function Identity() {
  return (
    <SandboxBox title="Who you are">
      <RadioList
        legend="Act as"
        options={[
          { id: sandboxKeys.account, title: "A verified customer", detail: "Sandbox Master" },
          {
            id: sandboxKeys.unverified,
            title: "An unverified customer",
            detail: "Sandbox Unverified: sees prices, cannot buy or sell.",
          },
        ]}
        value={keys.value.account ?? ""}
        onChange={(key) => signIn("account", key)}
      />
    </SandboxBox>
  );
}

const outcomes: readonly { status: VerificationStatus; label: string }[] = [
  { status: "approved", label: "Approve" },
  { status: "review", label: "Put in review" },
  { status: "rejected", label: "Reject" },
  { status: "expired", label: "Let it expire" },
  { status: "none", label: "Forget it" },
];

function Outcomes({ userId }: { userId: string }) {
  const decide = useOrder({
    send: (client, status: VerificationStatus) => client.sandbox.verify({ userId, status }),
    changes,
  });
  return (
    <SandboxBox title="Play the verifier">
      <p className="mb-3 text-quiet">
        Decide about this account. For accounts that you make,{" "}
        <code className="font-mono">+approve@</code>, <code className="font-mono">+reject@</code> or{" "}
        <code className="font-mono">+review@</code> in the e-mail address decides by itself.
      </p>
      <div className="flex flex-wrap gap-2">
        {outcomes.map(({ status, label }) => (
          <Button key={status} disabled={decide.isPending} onClick={() => decide.mutate(status)}>
            {label}
          </Button>
        ))}
      </div>
      <Fault of={decide.error} />
    </SandboxBox>
  );
}

function SandboxBox({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className="rounded-lg border-2 border-dashed border-warn p-4 lg:col-start-2"
    >
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="font-semibold">{title}</h2>
        <span className="text-xs text-warn">sandbox only</span>
      </div>
      {children}
    </section>
  );
}
