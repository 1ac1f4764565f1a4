import type { PoolBar, Timeframe } from "@slipway/sdk";
import { utcTime } from "../../charts/utc.ts";
import { Card } from "../../parts/card.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";

const fields: readonly (keyof PoolBar)[] = [
  "timestamp",
  "o",
  "h",
  "l",
  "c",
  "token0Price",
  "token1Price",
  "volumeUSD",
  "volumeToken0",
  "volumeToken1",
  "feesUSD",
  "tvlUSD",
  "txCount",
  "liquidity",
  "tick",
  "sqrtPrice",
  "feeGrowthGlobal0X128",
  "feeGrowthGlobal1X128",
  "id",
];

type Props = { bar: PoolBar | undefined; isNewest: boolean; timeframe: Timeframe };

/** A bar with every field that the API gives, to the last digit. */
export function BarInspector({ bar, isNewest, timeframe }: Props) {
  return (
    <Card
      title={isNewest ? `This ${timeframe}` : bar ? utcTime(bar.timestamp) : "Bar"}
      {...(bar
        ? { actions: <CopyButton text={JSON.stringify(bar, null, 2)} label="Copy JSON" /> }
        : {})}
    >
      {bar ? (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-xs">
          {fields.map((field) => (
            <div key={field} className="contents">
              <dt className="leading-5 text-quiet">{field}</dt>
              <dd className="truncate text-right leading-5" title={String(bar[field])}>
                {String(bar[field])}
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className="text-quiet">Nothing has happened in this pool yet.</p>
      )}
      <p className="mt-2 text-xs text-quiet">
        Point at a candle, or walk over them with the arrow keys. o, h, l and c are of token0Price.
      </p>
    </Card>
  );
}
