import type { Health } from "@slipway/sdk";
import { Link } from "wouter";
import { span } from "../../lib/times.ts";
import { Answered } from "../../parts/answered.tsx";
import { Card } from "../../parts/card.tsx";
import { Table } from "../../parts/table.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { SourceState } from "./source-state.tsx";
import { type Source, sourcesOf } from "./source-states.ts";

const everyMs = 2_000;

/** How everything is doing that the service gets its data from, and its own parts. */
export function Sources() {
  const health = useAnswer({ key: ["health"], ask: (client) => client.health(), everyMs });
  return (
    <Card title="Sources" actions={<Link href="/settings">Settings</Link>}>
      <Answered answer={health} height="13rem">
        {(told) => <SourceTable health={told} />}
      </Answered>
    </Card>
  );
}

function SourceTable({ health }: { health: Health }) {
  return (
    <>
      <Table
        caption="Sources"
        rows={sourcesOf(health)}
        keyOf={({ name }) => name}
        columns={[
          { header: "Source", cell: (source) => <SourceName source={source} /> },
          {
            header: "State",
            cell: (source) => <SourceState source={source} />,
          },
          {
            header: "Data age",
            isFigure: true,
            cell: ({ ageMs }) => (ageMs === undefined ? "–" : span(ageMs)),
          },
        ]}
      />
      <p className="mt-3 text-xs text-quiet">
        Version {health.version} · database {health.database.ok ? "✓ answers" : "✗ does not answer"}
      </p>
    </>
  );
}

function SourceName({ source: { name, path, note } }: { source: Source }) {
  return (
    <>
      {path ? <Link href={path}>{name}</Link> : name}
      <div className="text-xs text-quiet">{note}</div>
    </>
  );
}
