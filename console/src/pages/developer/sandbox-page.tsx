import { useState } from "react";
import { magicValues } from "../../lib/magic-values.ts";
import { millisecondsOf } from "../../lib/times.ts";
import { Answered } from "../../parts/answered.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Fault } from "../../parts/fault.tsx";
import { Choice } from "../../parts/fields.tsx";
import { Page } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useAnswer, useOrder } from "../../session/use-answer.ts";
import { DepositForm, ReturnForm, VerificationForm, WireForm } from "./sandbox-forms.tsx";

const minute = 60;
const hour = 3_600;
const day = 86_400;
const leaps = [
  { name: "15 minutes", seconds: 15 * minute },
  { name: "1 hour", seconds: hour },
  { name: "1 day", seconds: day },
  { name: "3 days", seconds: 3 * day },
  { name: "10 days", seconds: 10 * day },
  { name: "30 days", seconds: 30 * day },
] as const;

const newYork = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  dateStyle: "full",
  timeStyle: "short",
});

/** The world around the ramp, in your hands: its time, its bank, its chain. */
export function SandboxPage() {
  return (
    <Page
      title="Sandbox"
      subtitle="The world around the ramp, in your hands. Everything here is simulated; the ramp itself is the real one."
    >
      <div className="grid items-start gap-4 lg:grid-cols-2 2xl:grid-cols-3">
        <ClockCard />
        <Card title="A wire arrives">
          <WireForm />
        </Card>
        <Card title="Crypto arrives">
          <DepositForm />
        </Card>
        <Card title="The bank returns an ACH payment">
          <ReturnForm />
        </Card>
        <Card title="Somebody is verified">
          <VerificationForm />
        </Card>
        <StatementCard />
        <Card title="Magic values" className="lg:col-span-2 2xl:col-span-3">
          <Table
            caption="Magic values"
            columns={magicColumns}
            rows={magicRows}
            keyOf={({ where, value }) => `${where} ${value}`}
          />
        </Card>
      </div>
    </Page>
  );
}

function ClockCard() {
  const [seconds, setSeconds] = useState<number>(day);
  const clock = useAnswer({
    key: ["sandbox", "clock"],
    ask: (client) => client.sandbox.clock(),
    everyMs: 2_000,
  });
  const advance = useOrder({
    send: (client, by: number) => client.sandbox.advanceClock(by),
    changes: [[]],
  });
  return (
    <Card title="The ramp’s clock">
      <Answered answer={clock}>
        {({ now }) => (
          <p className="mb-3" aria-live="polite">
            <span className="text-lg font-semibold">{newYork.format(millisecondsOf(now))}</span>
            <span className="block text-quiet">in New York, where banks keep their hours</span>
          </p>
        )}
      </Answered>
      <div className="grid gap-2">
        <Choice
          label="Let time pass"
          hint="Everything that falls due on the way happens. Time never goes back."
          value={String(seconds)}
          onChange={({ currentTarget }) => setSeconds(Number(currentTarget.value))}
        >
          {leaps.map((leap) => (
            <option key={leap.name} value={leap.seconds}>
              {leap.name}
            </option>
          ))}
        </Choice>
        <Button look="main" disabled={advance.isPending} onClick={() => advance.mutate(seconds)}>
          {advance.isPending ? "Passing…" : "Let it pass"}
        </Button>
      </div>
      <Fault of={advance.error} />
    </Card>
  );
}

function StatementCard() {
  const statement = useOrder({
    send: (client, _: undefined) => client.sandbox.statement(),
    changes: [[]],
  });
  const { data } = statement;
  return (
    <Card title="The bank writes a statement">
      <p className="mb-3 text-quiet">By itself it does at 18:00 in New York on open days.</p>
      <Button onClick={() => statement.mutate(undefined)}>Write it now</Button>
      <p role="status" className="mt-3">
        {data && `✓ ${data.lines} lines, from ${data.openingUsd} to ${data.closingUsd} USD.`}
      </p>
      <Fault of={statement.error} />
    </Card>
  );
}

const places = {
  wire: "a wire of",
  bank: "an account number",
  wallet: "a wallet or sender",
  person: "a name or e-mail address",
};
const magicRows = (["wire", "bank", "wallet", "person"] as const).flatMap((kind) =>
  magicValues[kind].map((magic) => ({ where: places[kind], ...magic })),
);

const magicColumns: Column<(typeof magicRows)[number]>[] = [
  { header: "Where", cell: ({ where }) => where },
  { header: "Value", cell: ({ value }) => <code className="font-mono text-xs">{value}</code> },
  { header: "What happens", cell: ({ meaning }) => meaning },
];
