import { readFileSync } from "node:fs";
import { isObject } from "../../../lib/is-object.ts";
import { parseYaml } from "../../../lib/yaml.ts";
import type { CcxtExchange } from "./ccxt-exchange.ts";
import type { Description } from "./known-exchanges.ts";

/** What ccxt leaves out of some exchanges' descriptions. */
const additions = parseYaml(
  readFileSync(new URL("../../../../data/exchange-fees.yaml", import.meta.url), "utf8"),
);

/** Describes an exchange as ccxt's class of it does, without asking it. */
export function describeClass({ id, name, countries, has, urls }: CcxtExchange): Description {
  const hasTrades = has.fetchTrades === true;
  return {
    name,
    id,
    countries: textsOf(countries).flatMap(countryCode),
    hasTrades,
    // Where the exchange has no candles of its own, they are made from its trades.
    hasAggregates: hasTrades || has.fetchOHLCV === true,
    url: textsOf(urls.www)[0] ?? "",
    fees: feesOf(id, urls.fees),
    docs: textsOf(urls.doc)[0] ?? "",
    logo: textsOf(urls.logo)[0] ?? "",
  };
}

/** Timeframes in which an exchange itself has candles, and their seconds. Months and years have no length. */
export function nativeTimeframes({ has, timeframes }: CcxtExchange): ReadonlyMap<string, number> {
  if (has.fetchOHLCV !== true || !isObject(timeframes)) return new Map();
  return new Map(
    Object.keys(timeframes).flatMap((label): [string, number][] => {
      const [, count, unit = ""] = /^(\d+)([smhdw])$/.exec(label) ?? [];
      const seconds = unitSeconds[unit];
      return count && seconds ? [[label, Number(count) * seconds]] : [];
    }),
  );
}

const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** `pt-BR`, which is a language, becomes the country `BR`; what is no country goes. */
function countryCode(text: string): string[] {
  const code = text.split("-").at(-1) ?? "";
  return /^[A-Z]{2}$/.test(code) ? [code] : [];
}

function feesOf(id: string, fees: unknown): string | string[] {
  const known = fees ?? (isObject(additions) && additions[id]);
  return Array.isArray(known) ? textsOf(known) : (textsOf(known)[0] ?? "");
}

/** The texts in a text or a list of texts. */
function textsOf(value: unknown): string[] {
  return [value].flat().filter((item): item is string => typeof item === "string");
}
