import type { DexExchange, Health } from "@slipway/sdk";
import { Link } from "wouter";
import { span } from "../../lib/times.ts";
import { Answered } from "../../parts/answered.tsx";
import { Card } from "../../parts/card.tsx";
import { Page } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { dexPath } from "./paths.ts";
import { SourceState } from "./source-state.tsx";
import { dexSource } from "./source-states.ts";

const everyMs = 5_000;

type Row = { exchange: string; blockchain: string; name: string; chain: string };

/** The decentralized exchanges that are indexed, and on which chains. */
export function DexesPage() {
  const exchanges = useAnswer({ key: ["dex"], ask: (client) => client.dex.exchanges() });
  const health = useAnswer({ key: ["health"], ask: (client) => client.health(), everyMs });
  return (
    <Page title="Pools" subtitle="Decentralized exchanges that are indexed, by blockchain.">
      <Card>
        <Answered answer={exchanges} height="10rem">
          {(found) => (
            <Table
              caption="Decentralized exchanges"
              rows={rowsOf(found)}
              keyOf={({ exchange, blockchain }) => `${exchange}/${blockchain}`}
              columns={columnsWith(health.data)}
              empty="No chain is indexed. Name one under chains in slipway.yaml, with the URL of a node."
            />
          )}
        </Answered>
      </Card>
    </Page>
  );
}

function rowsOf(exchanges: readonly DexExchange[]): Row[] {
  return exchanges.flatMap(({ id, name, blockchains }) =>
    blockchains.map((blockchain) => ({
      exchange: id,
      blockchain: blockchain.id,
      name,
      chain: blockchain.name,
    })),
  );
}

function columnsWith(health: Health | undefined): Column<Row>[] {
  const healthOf = ({ exchange, blockchain }: Row) => health?.dex?.[`${exchange}/${blockchain}`];
  return [
    {
      header: "Exchange",
      cell: (row) => (
        <Link href={dexPath(row)} className="font-medium">
          {row.name} on {row.chain}
        </Link>
      ),
    },
    {
      header: "Index",
      cell: (row) => {
        const found = healthOf(row);
        return found ? <SourceState source={dexSource(row.exchange, found)} /> : "–";
      },
    },
    { header: "Block", isFigure: true, cell: (row) => healthOf(row)?.block ?? "–" },
    {
      header: "Behind",
      isFigure: true,
      cell: (row) => {
        const seconds = healthOf(row)?.lagSeconds;
        return seconds === null || seconds === undefined ? "–" : span(seconds * 1_000);
      },
    },
    {
      header: "Note",
      isExtra: true,
      cell: (row) => {
        const found = healthOf(row);
        return found ? dexSource(row.exchange, found).note : "";
      },
    },
  ];
}
