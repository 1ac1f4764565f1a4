import type { CexLiquidity } from "@slipway/sdk";
import { Type } from "typebox";
import { type CexContext, common, heard, marketFields } from "../cex/endpoints/cex-context.ts";
import { type Endpoint, endpoint, shapeOf } from "../http/endpoint.ts";
import { liquidityOf } from "./liquidity.ts";

const LiquiditySchema = shapeOf<CexLiquidity>()(
  Type.Object({
    exchange: Type.String(),
    market: Type.String(),
    nonce: Type.Integer(),
    liquidity: Type.Number(),
  }),
);

/** How much rests in a market's book. */
export function liquidityEndpoints({
  live,
  clock,
}: Pick<CexContext, "live" | "clock">): Endpoint[] {
  return [
    endpoint({
      ...common,
      path: "/v2/analytics/liquidity/{exchange}/{market}",
      summary: "The capital that rests in a market's order book, in the quote currency",
      description:
        "Price times size of all bids, and the middle price times the size of all asks, in the book that has this " +
        "`nonce`. `depth=0.02` counts only what is within 2 % of the middle price.",
      params: Type.Object(marketFields),
      query: Type.Object({
        depth: Type.Optional(
          Type.Number({
            exclusiveMinimum: 0,
            maximum: 1,
            description: "must be a number above 0 and at most 1",
          }),
        ),
      }),
      response: LiquiditySchema,
      async handle({ params, query }) {
        const found = await live.book(params.exchange, params.market);
        const { exchange, market, nonce, levels } = found.value;
        const liquidity = liquidityOf(levels, query.depth);
        return heard({ exchange, market, nonce, liquidity }, found, clock);
      },
    }),
  ];
}
