import { useSignal } from "@preact/signals";
import type { PoolSwap, PoolToken } from "@slipway/sdk";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { decimal, dollars } from "../../lib/figures.ts";
import { useChannel } from "../../live/use-channel.ts";
import { useFallback } from "../../live/use-fallback.ts";
import { Answered } from "../../parts/answered.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { LongId, When } from "../../parts/figures.tsx";
import { Segments } from "../../parts/segments.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { DownloadButtons } from "./download-buttons.tsx";
import type { Place } from "./paths.ts";
import {
  type EventKind,
  eventKinds,
  eventsOf,
  filtered,
  hashOf,
  type PoolEvent,
  sideOf,
  sizeOf,
} from "./pool-events.ts";
import type { PriceOf } from "./pool-figures.ts";
import { useUrlChoice } from "./use-url-choice.ts";

const step = 50;
const most = 1_000;
const toldMost = 200;
const refreshMs = 30_000;
const kindNames: Record<EventKind, string> = { swaps: "Swaps", mints: "Mints", burns: "Burns" };

type Tokens = { token0: PoolToken; token1: PoolToken };
type Props = { place: Place; id: string; tokens: Tokens; of: PriceOf };

/** What happened in a pool, newest first; swaps come as they happen. */
export function PoolTrades({ place, id, tokens, of }: Props) {
  const [kind, setKind] = useUrlChoice("list", eventKinds);
  const [side, setSide] = useUrlChoice("side", ["all", "buy", "sell"]);
  const [least, setLeast] = useDollarsLeast();
  const [limit, setLimit] = useState(step);
  const { answer, told } = useEvents(place, id, kind, limit);
  const events = eventsOf(kind, answer.data, told);
  const wantedSide = kind === "swaps" ? side : "all";
  const shown = filtered(events, { side: wantedSide, dollarsLeast: Number(least) || 0, of });
  const name = kindNames[kind].toLowerCase();
  return (
    <Card
      className="mt-4"
      title="What happened"
      actions={
        <DownloadButtons
          label={kindNames[kind]}
          path={`${listPath(place, id)}?${kindQuery(kind)}&limit=10000`}
          fileName={`${id}-${kind}`}
        />
      }
    >
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <Segments
          label="What to list"
          value={kind}
          onChange={setKind}
          options={eventKinds.map((value) => ({ value, label: kindNames[value] }))}
        />
        {kind === "swaps" && (
          <Segments
            label="Side"
            value={side}
            onChange={setSide}
            options={[
              { value: "all", label: "Both sides" },
              { value: "buy", label: `▲ Buys of ${tokens[of].symbol}` },
              { value: "sell", label: "▼ Sells" },
            ]}
          />
        )}
        <label className="flex items-center gap-2">
          At least $
          <input
            type="number"
            min="0"
            value={least}
            onChange={({ currentTarget }) => setLeast(currentTarget.value)}
            className="min-h-8 w-28 rounded-md border border-line bg-ground px-2"
          />
        </label>
        <span className="text-xs text-quiet" role="status">
          {shown.length === events.length
            ? `The newest ${events.length} ${name}.`
            : `${shown.length} of the newest ${events.length} ${name}: the filter looks no further.`}
        </span>
      </div>
      <Answered answer={answer} height="24rem">
        {() => (
          <Table
            caption={kindNames[kind]}
            rows={shown}
            keyOf={(event) => event.id}
            columns={columnsOf(kind, tokens, of)}
            height="30rem"
            empty={events.length === 0 ? `No ${name} yet.` : "None of them passes the filter."}
          />
        )}
      </Answered>
      {events.length >= limit && limit < most && (
        <Button className="mt-3" onClick={() => setLimit(limit + 5 * step)}>
          Look further back
        </Button>
      )}
    </Card>
  );
}

function useDollarsLeast(): [string, (value: string) => void] {
  const [params, setParams] = useSearchParams();
  const set = (value: string) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set("least", value);
        else next.delete("least");
        return next;
      },
      { replace: true },
    );
  return [params.get("least") ?? "", set];
}

/** The events of a kind: asked for, and swaps told by the stream since. */
function useEvents({ exchange, blockchain }: Place, id: string, kind: EventKind, limit: number) {
  const { everyMs = refreshMs } = useFallback();
  const told = useSignal<readonly PoolSwap[]>([]);
  const answer = useAnswer({
    key: ["dex", exchange, blockchain, "trades", id, kind, limit],
    ask: (client) =>
      client.dex.trades(exchange, blockchain, id, {
        swap: kind === "swaps",
        mint: kind === "mints",
        burn: kind === "burns",
        limit,
      }),
    everyMs,
  });
  useChannel(`dex.swaps:${exchange}:${blockchain}:${id}`, (message) => {
    if (message.type === "swaps") {
      told.value = [...[...message.swaps].reverse(), ...told.value].slice(0, toldMost);
    } else if (message.type === "rollback" || message.type === "gap") {
      told.value = [];
      void answer.refetch();
    }
  });
  return { answer, told: told.value };
}

function listPath({ exchange, blockchain }: Place, id: string): string {
  return `/v2/dex/${exchange}/${blockchain}/pool/${id}/trades`;
}

function kindQuery(kind: EventKind): string {
  return eventKinds.map((each) => `${each.slice(0, -1)}=${each === kind}`).join("&");
}

function columnsOf(kind: EventKind, tokens: Tokens, of: PriceOf): Column<PoolEvent>[] {
  const amounts: Column<PoolEvent>[] = (["token0", "token1"] as const).map((token) => ({
    header: tokens[token].symbol,
    isFigure: true,
    cell: ({ amount0, amount1 }) => {
      const amount = token === "token0" ? amount0 : amount1;
      return <span title={amount}>{decimal(sizeOf(amount), 6)}</span>;
    },
  }));
  return [
    {
      header: "When",
      cell: ({ timestamp }) => <When at={Number(timestamp) * 1_000} />,
    },
    ...(kind === "swaps" ? [sideColumn(tokens[of].symbol, of)] : []),
    {
      header: "US dollars",
      isFigure: true,
      cell: ({ amountUSD }) => <span title={amountUSD}>{dollars(amountUSD)}</span>,
    },
    ...amounts,
    { header: "By", isExtra: true, cell: ({ origin }) => <LongId of={origin} /> },
    { header: "Transaction", isExtra: true, cell: ({ id }) => <LongId of={hashOf(id)} /> },
  ];
}

function sideColumn(symbol: string, of: PriceOf): Column<PoolEvent> {
  return {
    header: "Side",
    cell: (event) =>
      sideOf(event, of) === "buy" ? (
        <span className="whitespace-nowrap text-up">▲ buys {symbol}</span>
      ) : (
        <span className="whitespace-nowrap text-down">▼ sells {symbol}</span>
      ),
  };
}
