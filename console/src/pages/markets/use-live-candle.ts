import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { CexCandle } from "@slipway/sdk";
import { useMemo, useRef } from "react";
import { perFrame } from "../../live/per-frame.ts";
import { useChannel } from "../../live/use-channel.ts";

/** The candle of a market that grows right now. */
export function useLiveCandle(
  exchange: string,
  market: string,
  timeframe: string,
): ReadonlySignal<CexCandle | undefined> {
  const shown = useSignal<CexCandle | undefined>(undefined);
  const newest = useRef<CexCandle>(undefined);
  const show = useMemo(
    () =>
      perFrame(() => {
        shown.value = newest.current;
      }),
    [shown],
  );
  useChannel(`cex.candles:${exchange}:${market}:${timeframe}`, (message) => {
    if (message.type !== "candle") return;
    newest.current = message.candle;
    show();
  });
  return shown;
}
