import type { CexMarket } from "@slipway/sdk";
import { Type } from "typebox";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import { Ready } from "../../http/ready.ts";
import type { ListedMarket } from "../market.ts";
import { type CexContext, common, exchangeFields, heard, marketFields } from "./cex-context.ts";

const text = Type.String();
const MarketSchema = shapeOf<CexMarket>()(
  Type.Object({
    exchange: text,
    symbol: text,
    id: text,
    active: Type.Boolean(),
    base: text,
    quote: text,
    percentage: Type.Boolean(),
    taker: Type.Number(),
    maker: Type.Number(),
    type: text,
  }),
);

/** Which markets an exchange has. */
export function marketEndpoints({ live, clock }: CexContext): Endpoint[] {
  /** A list can be long and seldom changes. */
  const lists = new WeakMap<ListedMarket[], Ready>();

  function listOf(markets: ListedMarket[]): Ready {
    const list = lists.get(markets) ?? new Ready(JSON.stringify(markets.map(promised)));
    lists.set(markets, list);
    return list;
  }

  return [
    endpoint({
      ...common,
      path: "/v2/cex/{exchange}/markets",
      summary: "Markets of a centralized exchange",
      params: Type.Object(exchangeFields),
      response: Type.Array(MarketSchema),
      async handle({ params }) {
        const listing = await live.markets(params.exchange);
        return heard(listOf(listing.value), listing, clock);
      },
    }),
    endpoint({
      ...common,
      path: "/v2/cex/{exchange}/{market}",
      summary: "A market of a centralized exchange",
      params: Type.Object(marketFields),
      response: MarketSchema,
      async handle({ params }) {
        const market = await live.market(params.exchange, params.market);
        return heard(promised(market.value), market, clock);
      },
    }),
  ];
}

/** A market without what only we need to know of it. */
function promised({ nativeId, priceDecimals, sizeDecimals, ...market }: ListedMarket): CexMarket {
  return market;
}
