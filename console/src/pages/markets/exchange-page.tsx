import type { CexExchange, CexHealth, CexMarket } from "@slipway/sdk";
import { Link } from "wouter";
import { decimal } from "../../lib/figures.ts";
import { span } from "../../lib/times.ts";
import { Answered } from "../../parts/answered.tsx";
import { Card } from "../../parts/card.tsx";
import { type DataColumn, DataTable } from "../../parts/data-table.tsx";
import { Facts } from "../../parts/facts.tsx";
import { When } from "../../parts/figures.tsx";
import { Page } from "../../parts/page.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { useParam } from "../../shell/use-param.ts";
import { marketPath } from "./paths.ts";
import { SourceState } from "./source-state.tsx";
import { cexSource } from "./source-states.ts";

const everyMs = 5_000;

/** A centralized exchange: what it can do, how it is doing, and its markets. */
export function ExchangePage() {
  const id = useParam("exchange");
  const exchange = useAnswer({ key: ["cex", id], ask: (client) => client.cex.exchange(id) });
  const markets = useAnswer({
    key: ["cex", id, "markets"],
    ask: (client) => client.cex.markets(id),
  });
  return (
    <Page title={exchange.data?.name ?? id} subtitle="Centralized exchange">
      <div className="grid items-start gap-4 xl:grid-cols-[22rem_minmax(0,1fr)]">
        <div className="grid min-w-0 gap-4 md:max-xl:grid-cols-2">
          <Feed id={id} />
          <Card title="About">
            <Answered answer={exchange} height="14rem">
              {(found) => <About exchange={found} />}
            </Answered>
          </Card>
        </div>
        <Card title="Markets">
          <Answered answer={markets} height="30rem">
            {(found) => (
              <DataTable
                caption={`Markets of ${id}`}
                rows={found}
                keyOf={(market) => market.id}
                columns={columns}
                search="Find a market"
              />
            )}
          </Answered>
        </Card>
      </div>
    </Page>
  );
}

function Feed({ id }: { id: string }) {
  const health = useAnswer({ key: ["health"], ask: (client) => client.health(), everyMs });
  const status = useAnswer({
    key: ["cex", id, "status"],
    ask: (client) => client.cex.status(id),
    everyMs,
  });
  const feed = health.data?.cex?.[id];
  return (
    <Card title="Status">
      <Answered answer={status} height="9rem">
        {({ status: word, updated }) => (
          <Facts
            facts={[
              ["The exchange says", word],
              ["Last found out", <When key="updated" at={updated} />],
              ...(feed ? feedFacts(id, feed) : []),
            ]}
          />
        )}
      </Answered>
    </Card>
  );
}

function feedFacts(id: string, feed: CexHealth) {
  const source = cexSource(id, feed);
  return [
    ["Our feed", <SourceState key="state" source={source} />],
    ...(feed.reason ? [["Why", feed.reason] as const] : []),
    ["Oldest data", source.ageMs === undefined ? "–" : span(source.ageMs)],
    ["Live markets", feed.markets],
    ["Resyncs", feed.resyncs],
    ["Gaps", feed.gaps],
  ] as const;
}

function About({ exchange }: { exchange: CexExchange }) {
  const { countries, url, docs, fees, hasTrades, hasAggregates, aggregateTimeframes } = exchange;
  const feePages = Array.isArray(fees) ? fees : [fees];
  return (
    <Facts
      facts={[
        ["Id in paths", <code key="id">{exchange.id}</code>],
        ["Countries", countries.join(", ") || "–"],
        ["Trades", hasTrades ? "✓ yes" : "✗ no"],
        ["Candles", hasAggregates ? "✓ yes" : "✗ no"],
        ["Timeframes", Object.keys(aggregateTimeframes).join(" · ")],
        ["Website", <Outside key="url" href={url} />],
        ["Its API", <Outside key="docs" href={docs} />],
        ...feePages.map(
          (page, index) =>
            [
              index === 0 ? "Fees" : `Fees ${index + 1}`,
              <Outside key={page} href={page} />,
            ] as const,
        ),
      ]}
    />
  );
}

/** A link that leaves; only what is a web address becomes one. */
function Outside({ href }: { href: string }) {
  if (!/^https?:\/\//.test(href)) return <>{href || "–"}</>;
  return (
    <a href={href} target="_blank" rel="noreferrer" className="break-all">
      {href.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "")} ↗
    </a>
  );
}

const columns: DataColumn<CexMarket>[] = [
  {
    header: "Market",
    value: ({ symbol }) => symbol,
    cell: ({ exchange, id, symbol }) => (
      <Link href={marketPath(exchange, id)} className="font-medium">
        {symbol}
      </Link>
    ),
  },
  {
    header: "State",
    value: ({ active }) => (active ? "open" : "closed"),
    cell: ({ active }) =>
      active ? <span className="text-up">✓ open</span> : <span className="text-bad">✗ closed</span>,
  },
  { header: "Base", isExtra: true, value: ({ base }) => base, cell: ({ base }) => base },
  { header: "Quote", isExtra: true, value: ({ quote }) => quote, cell: ({ quote }) => quote },
  { header: "Kind", value: ({ type }) => type, cell: ({ type }) => type },
  {
    header: "Taker",
    isFigure: true,
    value: ({ taker }) => taker,
    cell: ({ taker, percentage }) => feeText(taker, percentage),
  },
  {
    header: "Maker",
    isFigure: true,
    value: ({ maker }) => maker,
    cell: ({ maker, percentage }) => feeText(maker, percentage),
  },
];

function feeText(fee: number, isPart: boolean): string {
  return isPart ? `${decimal(fee * 100, 4)} %` : decimal(fee, 8);
}
