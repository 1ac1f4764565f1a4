import type { PoolAggregates, PoolBar, Timeframe } from "@slipway/sdk";
import { Type } from "typebox";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import { pageFields, pageOf, timeFields, timeWindowOf } from "../../http/list.ts";
import { CallerError } from "../../lib/errors.ts";
import { barFields, listBars } from "../store/read-bars.ts";
import { AddressParam, addressBytes, addressText } from "./address.ts";
import { common, type DexContext, fresh, notFound, placeFields, under } from "./dex-context.ts";
import { PoolTokenSchema } from "./pools.ts";
import { placeOf } from "./served.ts";

const text = Type.String();
const BarSchema = shapeOf<PoolBar>()(
  Type.Object({
    id: text,
    timestamp: Type.Integer(),
    feeGrowthGlobal0X128: text,
    feeGrowthGlobal1X128: text,
    feesUSD: text,
    o: text,
    h: text,
    l: text,
    c: text,
    volumeUSD: text,
    volumeToken0: text,
    volumeToken1: text,
    token0Price: text,
    token1Price: text,
    liquidity: text,
    txCount: text,
    tvlUSD: text,
    sqrtPrice: text,
    tick: Type.Union([text, Type.Null()]),
  }),
);

const TimeframeSchema = Type.Enum(["hour", "day"], { description: "must be hour or day" });

const AggregatesSchema = shapeOf<PoolAggregates>()(
  Type.Object({
    timeframe: TimeframeSchema,
    token0: PoolTokenSchema,
    token1: PoolTokenSchema,
    poolAggregates: Type.Array(BarSchema),
  }),
);

/** What a pool did, hour by hour or day by day. */
export function barEndpoints({ db, clock, chains }: DexContext): Endpoint[] {
  return [
    endpoint({
      ...common,
      path: `/v2${under}/pool/{pool}/aggregate`,
      summary: "A pool's hours or days, newest first",
      description:
        "`timeframe` is required; `interval` is another name for it. `from` and `to` say when bars start. " +
        "Times in which nothing happened have no bar.",
      params: Type.Object({ ...placeFields, pool: AddressParam }),
      query: Type.Object({
        timeframe: Type.Optional(TimeframeSchema),
        interval: Type.Optional(TimeframeSchema),
        ...pageFields(barFields),
        ...timeFields,
      }),
      response: AggregatesSchema,
      rows: "poolAggregates",
      async handle({ params, query }) {
        const place = placeOf(chains(), params);
        const pool = addressBytes("pool", params.pool);
        const timeframe = timeframeOf(query);
        const window = timeWindowOf(query);
        const page = pageOf(query, "timestamp");
        const { asOf, found } = await listBars(db, place, { pool, timeframe, window, page });
        if (!found) throw notFound(`Pool ${addressText(pool)}`, place, asOf);
        const { token0, token1, bars } = found;
        const json = `{"timeframe":"${timeframe}","token0":${token0},"token1":${token1},"poolAggregates":${bars}}`;
        return fresh(json, asOf, clock);
      },
    }),
  ];
}

function timeframeOf(query: { timeframe?: Timeframe; interval?: Timeframe }): Timeframe {
  const { timeframe, interval } = query;
  const chosen = timeframe ?? interval;
  if (!chosen) throw new CallerError("bad_request", "Required field is missing: timeframe");
  if (interval && interval !== chosen) {
    throw new CallerError("bad_request", "timeframe and interval must be the same");
  }
  return chosen;
}
