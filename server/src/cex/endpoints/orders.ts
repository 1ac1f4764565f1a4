import type { CexOrderBook } from "@slipway/sdk";
import { Type } from "typebox";
import type { WithHeaders } from "../../http/answer.ts";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import type { Ready } from "../../http/ready.ts";
import type { Finding } from "../feeds/replies.ts";
import type { ServedBook } from "../live/served-book.ts";
import {
  type CexContext,
  common,
  heard,
  limitField,
  limitOf,
  marketFields,
} from "./cex-context.ts";

const Level = Type.Tuple([Type.Number({ title: "price" }), Type.Number({ title: "size" })]);
const BookSchema = shapeOf<CexOrderBook>()(
  Type.Object({
    exchange: Type.String(),
    market: Type.String(),
    nonce: Type.Integer(),
    bids: Type.Array(Level),
    asks: Type.Array(Level),
  }),
);

type Answer = WithHeaders<Ready> | Promise<WithHeaders<Ready>>;

/** Order books. Nothing here waits when the market is live. */
export function orderEndpoints({ live, clock }: CexContext): Endpoint[] {
  function answer(found: Finding<ServedBook>, limit: number): Answer {
    const ready = found.value.answer(limit);
    return ready instanceof Promise
      ? ready.then((content) => heard(content, found, clock))
      : heard(ready, found, clock);
  }

  return [
    endpoint({
      ...common,
      path: "/v2/cex/{exchange}/{market}/orders",
      isHot: true,
      summary: "A market's order book, best prices first",
      description:
        "`limit` is the number of prices on each side; sizes at the same price are summed. `nonce` grows with every change.",
      params: Type.Object(marketFields),
      query: Type.Object(limitField),
      response: BookSchema,
      rows: { column: "side", arrays: { bids: "bid", asks: "ask" } },
      handle({ params, query }) {
        const limit = limitOf(query);
        const found = live.book(params.exchange, params.market);
        return found instanceof Promise
          ? found.then((book) => answer(book, limit))
          : answer(found, limit);
      },
    }),
  ];
}
