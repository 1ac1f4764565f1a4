import { useSignal } from "@preact/signals";
import type { PoolAggregates, PoolBar, Timeframe } from "@slipway/sdk";
import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { useChannel } from "../../live/use-channel.ts";
import { useFallback } from "../../live/use-fallback.ts";
import { useAnswer } from "../../session/use-answer.ts";
import type { Place } from "./paths.ts";
import { withBar } from "./pool-figures.ts";

/** How many bars are asked for at once. */
export const barsMost = 500;
const refreshMs = 60_000;

/** A pool's hours or days, newest first: asked for, and then told by the stream. */
export function useBars(
  { exchange, blockchain }: Place,
  pool: string,
  timeframe: Timeframe,
): { answer: UseQueryResult<PoolAggregates>; bars: readonly PoolBar[] } {
  const { everyMs = refreshMs } = useFallback();
  const told = useSignal<PoolBar | undefined>(undefined);
  const answer = useAnswer({
    key: ["dex", exchange, blockchain, "bars", pool, timeframe],
    ask: (client) => client.dex.bars(exchange, blockchain, pool, { timeframe, limit: barsMost }),
    everyMs,
  });
  useChannel(`dex.bars:${exchange}:${blockchain}:${pool}:${timeframe}`, (message) => {
    if (message.type === "bar") told.value = message.bar;
    else if (message.type === "rollback" || message.type === "gap") void answer.refetch();
  });
  const newest = told.value;
  const bars = useMemo(
    () => withBar(answer.data?.poolAggregates ?? [], newest),
    [answer.data, newest],
  );
  return { answer, bars };
}
