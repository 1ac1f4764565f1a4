import type { CexPrice } from "@slipway/sdk";
import { Type } from "typebox";
import type { WithHeaders } from "../../http/answer.ts";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import type { Ready } from "../../http/ready.ts";
import type { Finding } from "../feeds/replies.ts";
import { type CexContext, common, heard, marketFields } from "./cex-context.ts";

const PriceSchema = shapeOf<CexPrice>()(
  Type.Object({
    exchange: Type.String(),
    market: Type.String(),
    timestamp: Type.String({ description: "Unix milliseconds" }),
    price: Type.Number(),
  }),
);

/** What a market's last trade paid. */
export function priceEndpoints({ live, clock }: CexContext): Endpoint[] {
  const answer = (found: Finding<Ready>): WithHeaders<Ready> => heard(found.value, found, clock);
  return [
    endpoint({
      ...common,
      path: "/v2/cex/{exchange}/{market}/currentprice",
      isHot: true,
      summary: "The price of a market's last trade",
      params: Type.Object(marketFields),
      response: PriceSchema,
      handle({ params }) {
        const found = live.price(params.exchange, params.market);
        return found instanceof Promise ? found.then(answer) : answer(found);
      },
    }),
  ];
}
