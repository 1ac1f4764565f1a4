import type { Endpoint } from "../../http/endpoint.ts";
import { candleEndpoints } from "./candles.ts";
import type { CexContext } from "./cex-context.ts";
import { exchangeEndpoints } from "./exchanges.ts";
import { gapEndpoints } from "./gaps.ts";
import { marketEndpoints } from "./markets.ts";
import { orderEndpoints } from "./orders.ts";
import { priceEndpoints } from "./prices.ts";
import { tradeEndpoints } from "./trades.ts";

/** Everything that is served about centralized exchanges. */
export function cexEndpoints(context: CexContext): Endpoint[] {
  return [
    ...exchangeEndpoints(context),
    ...marketEndpoints(context),
    ...priceEndpoints(context),
    ...orderEndpoints(context),
    ...tradeEndpoints(context),
    ...candleEndpoints(context),
    ...gapEndpoints(context),
  ];
}
