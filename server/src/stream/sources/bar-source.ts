import type { PoolBar, Timeframe } from "@slipway/sdk";
import { listBars } from "../../dex/store/read-bars.ts";
import { messageOf } from "../../lib/errors.ts";
import { type Saying, saying } from "../message.ts";
import type { StateSource, StateUpdate } from "../source.ts";
import type { PoolName } from "../store/swaps.ts";
import type { DexSourceContext } from "./index-watch.ts";

/** A pool's bars of one length. */
export type BarName = PoolName & { timeframe: Timeframe };

const newMost = 24;

/** A pool's newest bar, whenever it has changed, and those before it that ended since. */
export function openBarSource(
  { place, pool, timeframe }: BarName,
  { db, indexes, log }: Pick<DexSourceContext, "db" | "indexes" | "log">,
): StateSource {
  const listeners = new Set<(update: StateUpdate) => void>();
  let told: { timestamp: number; json: string } | undefined;
  let whole: Saying | undefined;
  let reading: Promise<void> | undefined;
  let isDue = false;

  async function readBars(direction: "asc" | "desc", from?: number): Promise<PoolBar[]> {
    const limit = direction === "asc" ? newMost : 1;
    const page = { limit, skip: 0, orderBy: "timestamp", direction } as const;
    const window = { from, to: undefined };
    const { found } = await listBars(db, place, { pool, timeframe, window, page });
    return found ? (JSON.parse(found.bars) as PoolBar[]) : [];
  }

  function tell(bar: PoolBar): void {
    const json = JSON.stringify(bar);
    if (json === told?.json) return;
    told = { timestamp: bar.timestamp, json };
    whole = saying("bar", { bar });
    for (const hear of [...listeners]) hear({ kind: "whole", saying: whole });
  }

  /** The newest may have been taken back: then it is the one before. */
  async function tellNew(): Promise<void> {
    const since = told ? await readBars("asc", told.timestamp) : [];
    const bars = since.length > 0 ? since : await readBars("desc");
    for (const bar of bars) tell(bar);
  }

  async function readUntilDone(): Promise<void> {
    while (isDue) {
      isDue = false;
      await tellNew().catch((error) => {
        log.warn({ reason: messageOf(error) }, "bars of a stream cannot be read");
      });
    }
    reading = undefined;
  }

  function update(): Promise<void> {
    isDue = true;
    reading ??= readUntilDone();
    return reading;
  }

  const stopListening = indexes.listen(place, () => void update());
  return {
    kind: "state",
    ready: update(),
    listeners,
    whole: () => whole,
    close: stopListening,
  };
}
