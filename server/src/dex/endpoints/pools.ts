import type { DexPool, PoolToken } from "@slipway/sdk";
import { Type } from "typebox";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import { pageFields, pageOf } from "../../http/list.ts";
import { listPools, poolFields } from "../store/read-pools.ts";
import { Address, addressBytes } from "./address.ts";
import { common, type DexContext, fresh, placeFields, under } from "./dex-context.ts";
import { placeOf } from "./served.ts";

const text = Type.String();

/** One of a pool's two tokens. */
export const PoolTokenSchema = shapeOf<PoolToken>()(
  Type.Object({ name: text, id: text, symbol: text }),
);

const PoolSchema = shapeOf<DexPool>()(
  Type.Object({
    id: text,
    token0: PoolTokenSchema,
    token1: PoolTokenSchema,
    feeTier: text,
    liquidity: text,
    tvlUSD: text,
    volumeUSD: text,
    txCount: text,
    token0Price: text,
    token1Price: text,
  }),
);

/** The pools there are, so that nobody needs to know their addresses from elsewhere. */
export function poolEndpoints({ db, clock, chains }: DexContext): Endpoint[] {
  return [
    endpoint({
      ...common,
      path: `/v2${under}/pools`,
      summary: "Pools of an exchange, those with the most locked in them first",
      params: Type.Object(placeFields),
      query: Type.Object({
        ...pageFields(poolFields),
        pool: Type.Optional(Address),
        token: Type.Optional(Address),
      }),
      response: Type.Array(PoolSchema),
      async handle({ params, query }) {
        const place = placeOf(chains(), params);
        const bytesOf = (name: "pool" | "token") =>
          query[name] === undefined ? undefined : addressBytes(name, query[name]);
        const filter = { pool: bytesOf("pool"), token: bytesOf("token") };
        const { asOf, found } = await listPools(db, place, filter, pageOf(query, "tvlUSD"));
        return fresh(found, asOf, clock);
      },
    }),
  ];
}
