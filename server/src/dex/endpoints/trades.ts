import type { PoolBurn, PoolMint, PoolSwap, PoolTrades } from "@slipway/sdk";
import { Type } from "typebox";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import { blockField, pageFields, pageOf, timeFields, timeWindowOf } from "../../http/list.ts";
import {
  type FoundTrades,
  listTrades,
  type TradeKind,
  type TradeOrder,
  tradeFields,
} from "../store/read-trades.ts";
import { AddressParam, addressBytes, addressText } from "./address.ts";
import {
  common,
  type DexContext,
  fresh,
  notFound,
  placeFields,
  refuseLaterBlock,
  under,
} from "./dex-context.ts";
import { fillOrigins } from "./origins.ts";
import { placeOf } from "./served.ts";

const text = Type.String();
const event = {
  id: text,
  amount0: text,
  amount1: text,
  amountUSD: text,
  logIndex: text,
  origin: text,
  timestamp: text,
};
const owned = { amount: text, owner: text };
const BurnSchema = shapeOf<PoolBurn>()(Type.Object({ ...event, ...owned }));
const MintSchema = shapeOf<PoolMint>()(Type.Object({ ...event, ...owned, sender: text }));
const SwapSchema = shapeOf<PoolSwap>()(
  Type.Object({ ...event, sender: text, recipient: text, sqrtPriceX96: text }),
);

const TradesSchema = shapeOf<PoolTrades>()(
  Type.Object({
    poolAddress: text,
    burns: Type.Optional(Type.Array(BurnSchema)),
    mints: Type.Optional(Type.Array(MintSchema)),
    swaps: Type.Optional(Type.Array(SwapSchema)),
  }),
);

const wanted = Type.Optional(
  Type.Boolean({ default: true, description: "must be true or false; false leaves these out" }),
);

const kinds = ["burn", "mint", "swap"] as const satisfies readonly TradeKind[];

/** What happened in a pool, event by event. */
export function tradeEndpoints(context: DexContext): Endpoint[] {
  const { db, clock, chains } = context;
  return [
    endpoint({
      ...common,
      path: `/v2${under}/pool/{pool}/trades`,
      summary: "A pool's swaps, mints and burns, newest first",
      description:
        "`limit` and `skip` apply to each kind. `block` means everything up to and including that block. " +
        "Without `orderBy` trades are in the order of the chain; with it, equal ones by id, and a kind that lacks the " +
        "field newest first.",
      params: Type.Object({ ...placeFields, pool: AddressParam }),
      query: Type.Object({
        ...pageFields(tradeFields),
        ...timeFields,
        ...blockField,
        swap: wanted,
        mint: wanted,
        burn: wanted,
      }),
      response: TradesSchema,
      rows: { column: "kind", arrays: { burns: "burn", mints: "mint", swaps: "swap" } },
      async handle({ params, query }) {
        const place = placeOf(chains(), params);
        const pool = addressBytes("pool", params.pool);
        const { asOf, found } = await listTrades(db, place, {
          pool,
          kinds: kinds.filter((kind) => query[kind] !== false),
          window: timeWindowOf(query),
          block: query.block,
          page: pageOf<TradeOrder>(query, "chain"),
        });
        if (!found) throw notFound(`Pool ${addressText(pool)}`, place, asOf);
        refuseLaterBlock(place, query.block, asOf);
        const json = jsonOf(addressText(pool), found);
        return fresh(await fillOrigins(json, place.blockchain, context), asOf, clock);
      },
    }),
  ];
}

/** Kinds that were not asked for have no key. */
function jsonOf(pool: string, found: FoundTrades): string {
  const arrays = kinds.flatMap((kind) =>
    found[kind] === null ? [] : [`,"${kind}s":${found[kind]}`],
  );
  return `{"poolAddress":"${pool}"${arrays.join("")}}`;
}
