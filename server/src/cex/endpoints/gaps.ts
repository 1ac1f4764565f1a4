import type { CexGap, CexGaps } from "@slipway/sdk";
import { Type } from "typebox";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import { timeField, timeFields } from "../../http/list.ts";
import { Ready } from "../../http/ready.ts";
import { readGaps } from "../store/gaps.ts";
import {
  type CexContext,
  common,
  limitField,
  limitOf,
  marketFields,
  marketText,
} from "./cex-context.ts";
import { spanOf } from "./span.ts";

const GapSchema = shapeOf<CexGap>()(
  Type.Object({ from: Type.String(), to: Type.String(), reason: Type.String() }),
);
const GapsSchema = shapeOf<CexGaps>()(
  Type.Object({ exchange: Type.String(), market: Type.String(), gaps: Type.Array(GapSchema) }),
);

/** What is missing in the stored trades, and why. */
export function gapEndpoints({ live, db }: CexContext): Endpoint[] {
  return [
    endpoint({
      ...common,
      path: "/v2/cex/{exchange}/{market}/gaps",
      summary: "Spans of time whose trades nobody could get, newest first",
      description:
        "`from` and `to` choose the gaps that reach into a span of time; `since` is another name for `from`.",
      params: Type.Object(marketFields),
      query: Type.Object({ ...limitField, ...timeFields, since: timeField }),
      response: GapsSchema,
      rows: "gaps",
      async handle({ params, query }) {
        const span = spanOf(query);
        const { value } = await live.market(params.exchange, params.market);
        const { exchange, id: market } = value;
        const gaps = await readGaps(db, { exchange, market, limit: limitOf(query), ...span });
        return new Ready(`{${marketText(exchange, market)},"gaps":${gaps}}`);
      },
    }),
  ];
}
