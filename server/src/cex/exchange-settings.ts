import { type Static, Type } from "typebox";
import type { ConfiguredExchange } from "./configured.ts";
import { canonicalId, exchangeIds } from "./feeds/ccxt/exchange-ids.ts";

const ExchangeSettings = Type.Object({
  baseUrl: Type.Optional(
    Type.Refine(
      Type.String({
        isSecret: true,
        description:
          "must be a URL that starts with http or https; the exchange's own host follows as the first part of the path",
      }),
      isBaseUrl,
    ),
  ),
  markets: Type.Array(Type.String({ pattern: "^[^\\s]{1,100}$" }), {
    default: [],
    description: "must be a list of markets that are live from the start, such as [BTC-USD]",
  }),
});

/** Centralized exchanges under the ids that they have in paths. */
export const ExchangesSchema = Type.Record(Type.String(), ExchangeSettings, {
  default: {},
  names: Type.Enum(
    exchangeIds().filter((id) => canonicalId(id) === id),
    { description: "must be an exchange that ccxt knows, such as kraken" },
  ),
  description: "must hold exchanges with their settings, such as kraken: {markets: [BTC-USD]}",
});

/** How centralized exchanges are served, whichever they are. */
export const CexSchema = Type.Object({
  otherExchanges: Type.Boolean({
    default: false,
    env: "OTHER_EXCHANGES",
    description:
      "must be true or false: whether every exchange that ccxt knows can be asked for, configured or not",
  }),
  tradesDays: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    default: 90,
    env: "TRADES_DAYS",
    description: "must be for how many days trades are kept, from 1 to 36500",
  }),
});

/** Turns checked settings into what the feeds work with. */
export function configuredExchanges(
  settings: Readonly<Record<string, Static<typeof ExchangeSettings>>>,
): ConfiguredExchange[] {
  return Object.entries(settings).map(([id, { baseUrl, markets }]) => ({
    id,
    baseUrl: baseUrl?.replace(/\/+$/, ""),
    markets,
    isSandbox: false,
  }));
}

function isBaseUrl(text: string): boolean {
  return /^https?:\/\/[^/?#]+[^?#]*$/i.test(text) && URL.canParse(text);
}
