import type { DexPool, DexToken } from "@slipway/sdk";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "wouter";
import { about, aboutDollars } from "../../lib/figures.ts";
import { Answered } from "../../parts/answered.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { type DataColumn, DataTable } from "../../parts/data-table.tsx";
import { LongId, Price } from "../../parts/figures.tsx";
import { Page } from "../../parts/page.tsx";
import { Segments } from "../../parts/segments.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { useParam } from "../../shell/use-param.ts";
import { DownloadButtons } from "./download-buttons.tsx";
import { type Place, tokenPath } from "./paths.ts";
import { poolColumns } from "./pool-columns.tsx";
import { useUrlChoice } from "./use-url-choice.ts";

const pageRows = 50;

/** The pools and tokens of a decentralized exchange on a blockchain. */
export function DexPage() {
  const place = { exchange: useParam("exchange"), blockchain: useParam("blockchain") };
  const [shown, setShown] = useUrlChoice("list", ["pools", "tokens"]);
  const [params, setParams] = useSearchParams();
  const page = Math.max(0, Math.floor(Number(params.get("page") ?? 0)) || 0);
  const turn = (to: number) =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      next.set("page", String(to));
      return next;
    });
  const choose = (list: typeof shown) => {
    setShown(list);
    turn(0);
  };
  const List = shown === "pools" ? Pools : Tokens;
  return (
    <Page title={`${place.exchange} on ${place.blockchain}`} subtitle="Decentralized exchange">
      <Card
        actions={
          <Segments
            label="List"
            value={shown}
            onChange={choose}
            options={[
              { value: "pools", label: "Pools" },
              { value: "tokens", label: "Tokens" },
            ]}
          />
        }
      >
        <List place={place} page={page} turn={turn} />
      </Card>
    </Page>
  );
}

type ListProps = { place: Place; page: number; turn(to: number): void };

function Pools({ place, page, turn }: ListProps) {
  const { exchange, blockchain } = place;
  const range = { limit: pageRows, skip: page * pageRows };
  const answer = useAnswer({
    key: ["dex", exchange, blockchain, "pools", page],
    ask: (client) => client.dex.pools(exchange, blockchain, range),
  });
  return (
    <Answered answer={answer} height="30rem">
      {(found) => (
        <Paged count={found.length} page={page} turn={turn} place={place} list="pools">
          <DataTable<DexPool>
            caption="Pools, those with the most locked in them first"
            rows={found}
            keyOf={({ id }) => id}
            columns={poolColumns(place)}
            search="Find a pool on this page"
            empty="No pool yet: the index has only begun."
          />
        </Paged>
      )}
    </Answered>
  );
}

function Tokens({ place, page, turn }: ListProps) {
  const { exchange, blockchain } = place;
  const range = { limit: pageRows, skip: page * pageRows };
  const answer = useAnswer({
    key: ["dex", exchange, blockchain, "tokens", page],
    ask: (client) => client.dex.tokens(exchange, blockchain, range),
  });
  return (
    <Answered answer={answer} height="30rem">
      {(found) => (
        <Paged count={found.length} page={page} turn={turn} place={place} list="tokens">
          <DataTable<DexToken>
            caption="Tokens, those with the highest volume first"
            rows={found}
            keyOf={({ id }) => id}
            columns={tokenColumns(place)}
            search="Find a token on this page"
            empty="No token yet: the index has only begun."
          />
        </Paged>
      )}
    </Answered>
  );
}

type PagedProps = ListProps & { count: number; list: string; children: ReactNode };

/** A page of a list and the ways to the pages around it. */
function Paged({ count, page, turn, place, list, children }: PagedProps) {
  const { exchange, blockchain } = place;
  const first = page * pageRows;
  return (
    <>
      {children}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button disabled={page === 0} onClick={() => turn(page - 1)}>
          ← Before
        </Button>
        <Button disabled={count < pageRows} onClick={() => turn(page + 1)}>
          Next →
        </Button>
        <span className="text-quiet">
          {count === 0 ? "Nothing here" : `${first + 1} to ${first + count}`}
        </span>
        <span className="ml-auto">
          <DownloadButtons
            label={`All ${list}`}
            path={`/v2/dex/${exchange}/${blockchain}/${list}?limit=10000`}
            fileName={`${exchange}-${blockchain}-${list}`}
          />
        </span>
      </div>
    </>
  );
}

function tokenColumns(place: Place): DataColumn<DexToken>[] {
  return [
    {
      header: "Token",
      value: ({ symbol, name }) => `${symbol} ${name}`,
      cell: ({ id, symbol, name }) => (
        <>
          <Link href={tokenPath(place, id)} className="font-medium">
            {symbol}
          </Link>{" "}
          <span className="text-quiet">{name}</span>
        </>
      ),
    },
    {
      header: "Price, ETH",
      isFigure: true,
      value: ({ derivedETH }) => derivedETH,
      cell: ({ derivedETH }) => <Price of={derivedETH} />,
    },
    {
      header: "Locked",
      isFigure: true,
      value: ({ totalValueLockedUSD }) => totalValueLockedUSD,
      cell: ({ totalValueLockedUSD }) => aboutDollars(totalValueLockedUSD),
    },
    {
      header: "Volume",
      isFigure: true,
      value: ({ volumeUSD }) => volumeUSD,
      cell: ({ volumeUSD }) => aboutDollars(volumeUSD),
    },
    {
      header: "Transactions",
      isFigure: true,
      isExtra: true,
      value: ({ txCount }) => txCount,
      cell: ({ txCount }) => about(txCount),
    },
    {
      header: "Pools",
      isFigure: true,
      isExtra: true,
      value: ({ poolCount }) => poolCount,
      cell: ({ poolCount }) => poolCount,
    },
    {
      header: "Address",
      isExtra: true,
      value: ({ id }) => id,
      cell: ({ id }) => <LongId of={id} />,
    },
  ];
}
