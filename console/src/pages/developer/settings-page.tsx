import type { Setting } from "@slipway/sdk";
import { type FormEvent, useState } from "react";
import { Answered } from "../../parts/answered.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { type DataColumn, DataTable } from "../../parts/data-table.tsx";
import { Field } from "../../parts/fields.tsx";
import { Page } from "../../parts/page.tsx";
import { Segments } from "../../parts/segments.tsx";
import { keys, mode, type Role, signIn, signOut } from "../../session/session.ts";
import { useAnswer } from "../../session/use-answer.ts";
import { type Theme, theme } from "../../shell/theme.ts";

const themes: readonly { value: Theme; label: string }[] = [
  { value: "system", label: "As the device" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** How the console looks, whose keys it uses, and how the service is set up. */
export function SettingsPage() {
  const settings = useAnswer({
    key: ["settings"],
    role: "operator",
    isWanted: keys.value.operator !== undefined,
    ask: (client) => client.operator.settings(),
  });
  return (
    <Page title="Settings">
      <div className="grid items-start gap-4 xl:grid-cols-[24rem_minmax(0,1fr)]">
        <div className="grid content-start gap-4">
          <Card title="Look">
            <Segments
              label="Theme"
              options={themes}
              value={theme.value}
              onChange={(chosen) => {
                theme.value = chosen;
              }}
            />
          </Card>
          <Card title="Keys in this tab">
            <div className="grid gap-4">
              <KeyForm of="account" label="API key" />
              <KeyForm of="operator" label="Operator’s key" />
              <Button onClick={signOut}>
                {mode.value === "sandbox" ? "Back to the sandbox’s keys" : "Forget both"}
              </Button>
            </div>
          </Card>
        </div>
        <Card title="The service">
          <p className="mb-3 text-quiet">
            Set by variables and the configuration file, read when the service starts. Secrets are
            never shown.
          </p>
          {keys.value.operator === undefined ? (
            <p>An operator’s key shows them.</p>
          ) : (
            <Answered answer={settings} height="30rem">
              {(list) => (
                <DataTable
                  caption="Settings of the service"
                  columns={columns}
                  rows={list}
                  keyOf={({ name }) => name}
                  search="Find a setting"
                />
              )}
            </Answered>
          )}
        </Card>
      </div>
    </Page>
  );
}

const columns: DataColumn<Setting>[] = [
  {
    header: "Setting",
    value: ({ name }) => name,
    cell: ({ name }) => <code className="font-mono text-xs">{name}</code>,
  },
  {
    header: "Value",
    value: ({ value }) => value,
    cell: ({ value }) => <span className="break-all">{value ?? "–"}</span>,
  },
  { header: "From", value: ({ origin }) => origin, cell: ({ origin }) => origin },
];

function KeyForm({ of: role, label }: { of: Role; label: string }) {
  const [key, setKey] = useState("");
  function submit(event: FormEvent): void {
    event.preventDefault();
    signIn(role, key);
    setKey("");
  }
  const inUse = keys.value[role];
  return (
    <form onSubmit={submit} className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <Field
          label={label}
          type="password"
          autoComplete="off"
          hint={inUse ? `In use: ${inUse.slice(0, 14)}…` : "None in use."}
          value={key}
          onChange={({ currentTarget }) => setKey(currentTarget.value.trim())}
        />
      </div>
      <Button type="submit" disabled={!key} className="mb-6">
        Use
      </Button>
    </form>
  );
}
