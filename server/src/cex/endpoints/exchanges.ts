import type { CexExchange, CexStatus } from "@slipway/sdk";
import { Type } from "typebox";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import { type CexContext, common, exchangeFields, heard } from "./cex-context.ts";

const text = Type.String();
const ExchangeSchema = shapeOf<CexExchange>()(
  Type.Object({
    name: text,
    id: text,
    countries: Type.Array(text),
    hasTrades: Type.Boolean(),
    hasAggregates: Type.Boolean(),
    aggregateTimeframes: Type.Record(text, Type.Number()),
    url: text,
    fees: Type.Union([text, Type.Array(text)]),
    docs: text,
    logo: text,
  }),
);

const StatusSchema = shapeOf<CexStatus>()(
  Type.Object({ status: text, updated: Type.Integer({ description: "Unix milliseconds" }) }),
);

/** Which exchanges are served, and how they are doing. */
export function exchangeEndpoints({ live, clock }: CexContext): Endpoint[] {
  const params = Type.Object(exchangeFields);
  return [
    endpoint({
      ...common,
      path: "/v2/cex",
      summary: "Centralized exchanges that are served",
      response: Type.Array(ExchangeSchema),
      async handle() {
        return (await live.exchanges()).value;
      },
    }),
    endpoint({
      ...common,
      path: "/v2/cex/{exchange}",
      summary: "A centralized exchange",
      params,
      response: ExchangeSchema,
      async handle({ params }) {
        return (await live.exchange(params.exchange)).value;
      },
    }),
    endpoint({
      ...common,
      path: "/v2/cex/{exchange}/status",
      summary: "How a centralized exchange is doing",
      description: "`ok` is good; other words are the exchange's own.",
      params,
      response: StatusSchema,
      async handle({ params }) {
        const status = await live.status(params.exchange);
        return heard(status.value, status, clock);
      },
    }),
  ];
}
