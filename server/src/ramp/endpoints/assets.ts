import type { Assets, FiatCurrency, TokenEntry } from "@slipway/sdk";
import { Type } from "typebox";
import { type Endpoint, endpoint, type ReachedAt, shapeOf } from "../../http/endpoint.ts";
import { formatDecimal, type Units } from "../../lib/money.ts";
import { type SupportedToken, supportedTokens } from "../assets.ts";
import { blockchains } from "../blockchains.ts";
import type { Ports } from "../ports.ts";

const text = Type.String();
const TokenEntrySchema = shapeOf<TokenEntry>()(
  Type.Object({
    base: text,
    logo: text,
    name: text,
    quotes: Type.Array(text),
    blockchains: Type.Array(text),
    decimals: Type.Integer(),
    limits: Type.Object({
      min: Type.Number(),
      max: Type.Union([Type.Number(), Type.Null()]),
    }),
  }),
);
const FiatCurrencySchema = shapeOf<FiatCurrency>()(
  Type.Object({ name: text, base: text, logo: text }),
);
const AssetsSchema = shapeOf<Assets>()(
  Type.Object({
    supportedBlockchains: Type.Array(text),
    fiatCurrencies: Type.Record(text, FiatCurrencySchema),
    tokens: Type.Record(text, TokenEntrySchema),
    tokensbyBlockchain: Type.Record(text, Type.Array(TokenEntrySchema)),
    defaultTokens: Type.Record(text, TokenEntrySchema),
  }),
);

const defaultSymbols: ReadonlySet<string> = new Set(["USDC", "USDT", "ETH", "BTC", "SOL"]);

const hostForm = /^[\w.-]+(:\d+)?$|^\[[0-9a-fA-F:.]+\](:\d+)?$/;

/** What the ramp deals in, on the blockchains that it serves. */
export function assetEndpoints({ serves }: Pick<Ports, "serves">): Endpoint[] {
  const served = supportedTokens.filter(({ blockchain }) => serves(blockchain));
  return [
    endpoint({
      method: "GET",
      path: "/v2/ramp/crypto",
      family: "ramp",
      actsFor: "self",
      summary: "Tokens and currencies the ramp deals in",
      description:
        "Limits are quantities of the token. A token may have other decimals on some blockchains: " +
        "`tokensbyBlockchain` has those of each, `tokens` the usual ones.",
      scope: "ramp:read",
      status: 200,
      response: AssetsSchema,
      handle: ({ reachedAt }) => assetsAt(originOf(reachedAt), served),
    }),
  ];
}

function assetsAt(origin: string, served: readonly SupportedToken[]): Assets {
  const listed = served.map((token) => ({ token, entry: entryOf(token, origin, served) }));
  const places = blockchains.filter((id) => served.some(({ blockchain }) => blockchain === id));
  // The first blockchain of a token is one on which it has its usual decimals.
  const tokens = new Map<string, TokenEntry>();
  for (const { token, entry } of listed)
    if (!tokens.has(token.symbol)) tokens.set(token.symbol, entry);
  const byBlockchain = places.map((blockchain) => [
    blockchain,
    listed.filter(({ token }) => token.blockchain === blockchain).map(({ entry }) => entry),
  ]);
  const logo = `${origin}/logo/fiat/USD.svg`;
  return {
    supportedBlockchains: places,
    fiatCurrencies: { USD: { name: "US Dollar", base: "USD", logo } },
    tokens: Object.fromEntries(tokens),
    tokensbyBlockchain: Object.fromEntries(byBlockchain),
    defaultTokens: Object.fromEntries([...tokens].filter(([symbol]) => defaultSymbols.has(symbol))),
  };
}

function entryOf(
  token: SupportedToken,
  origin: string,
  served: readonly SupportedToken[],
): TokenEntry {
  const { symbol, name, decimals, leastUnits, mostUnits } = token;
  const places = served.filter((other) => other.symbol === symbol);
  return {
    base: symbol,
    logo: `${origin}/logo/crypto/${symbol}.svg`,
    name,
    quotes: ["USD"],
    blockchains: places.map(({ blockchain }) => blockchain),
    decimals,
    limits: {
      min: wholeTokens(leastUnits, decimals),
      max: mostUnits === null ? null : wholeTokens(mostUnits, decimals),
    },
  };
}

/** The API promises a number here. Limits have few digits, so it is exact. */
function wholeTokens(units: Units, decimals: number): number {
  return Number(formatDecimal(units, decimals));
}

/** Pictures are on the host that was asked, if it has the form of one. */
function originOf({ protocol, host }: ReachedAt): string {
  return hostForm.test(host) ? `${protocol}://${host}` : "";
}
