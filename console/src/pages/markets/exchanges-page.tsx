import type { CexExchange, Health } from "@slipway/sdk";
import { Link } from "wouter";
import { Answered } from "../../parts/answered.tsx";
import { Card } from "../../parts/card.tsx";
import { type DataColumn, DataTable } from "../../parts/data-table.tsx";
import { Page } from "../../parts/page.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { exchangePath } from "./paths.ts";
import { SourceState } from "./source-state.tsx";
import { cexSource } from "./source-states.ts";

const healthEveryMs = 5_000;

/** The centralized exchanges that are served. */
export function ExchangesPage() {
  const exchanges = useAnswer({ key: ["cex"], ask: (client) => client.cex.exchanges() });
  const health = useAnswer({
    key: ["health"],
    ask: (client) => client.health(),
    everyMs: healthEveryMs,
  });
  return (
    <Page
      title="Exchanges"
      subtitle="Centralized exchanges whose books, trades and candles are here."
    >
      <Card>
        <Answered answer={exchanges} height="10rem">
          {(found) => (
            <DataTable
              caption="Exchanges"
              rows={found}
              keyOf={({ id }) => id}
              columns={columnsWith(health.data)}
              empty="No exchange is followed. Name one under exchanges in slipway.yaml."
              {...(found.length > 10 ? { search: "Find an exchange" } : {})}
            />
          )}
        </Answered>
      </Card>
    </Page>
  );
}

function columnsWith(health: Health | undefined): DataColumn<CexExchange>[] {
  const healthOf = (id: string) => health?.cex?.[id];
  return [
    {
      header: "Exchange",
      value: ({ name }) => name,
      cell: ({ id, name }) => (
        <Link href={exchangePath(id)} className="font-medium">
          {name}
        </Link>
      ),
    },
    {
      header: "State",
      value: ({ id }) => healthOf(id)?.state ?? "",
      cell: ({ id }) => {
        const found = healthOf(id);
        return found ? <SourceState source={cexSource(id, found)} /> : "–";
      },
    },
    {
      header: "Live markets",
      isFigure: true,
      value: ({ id }) => healthOf(id)?.markets ?? null,
      cell: ({ id }) => healthOf(id)?.markets ?? "–",
    },
    {
      header: "Countries",
      isExtra: true,
      value: ({ countries }) => countries.join(" "),
      cell: ({ countries }) => countries.join(", ") || "–",
    },
    {
      header: "Timeframes",
      isExtra: true,
      value: ({ aggregateTimeframes }) => Object.keys(aggregateTimeframes).length,
      cell: ({ aggregateTimeframes }) => Object.keys(aggregateTimeframes).join(" · "),
    },
  ];
}
