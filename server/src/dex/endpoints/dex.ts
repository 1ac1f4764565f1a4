import type { Endpoint } from "../../http/endpoint.ts";
import { barEndpoints } from "./bars.ts";
import type { DexContext } from "./dex-context.ts";
import { exchangeEndpoints } from "./exchanges.ts";
import { poolEndpoints } from "./pools.ts";
import { tokenEndpoints } from "./tokens.ts";
import { tradeEndpoints } from "./trades.ts";

/** Everything that is served about decentralized exchanges. */
export function dexEndpoints(context: DexContext): Endpoint[] {
  return [
    ...exchangeEndpoints(context),
    ...tokenEndpoints(context),
    ...poolEndpoints(context),
    ...barEndpoints(context),
    ...tradeEndpoints(context),
  ];
}
