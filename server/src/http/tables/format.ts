import { CallerError } from "../../lib/errors.ts";

/** How an answer is written. */
export type Format = "json" | "csv" | "parquet";

/** The formats there are, as `?format=` names them. */
export const formats = ["json", "csv", "parquet"] as const satisfies readonly Format[];

/** What each format is called in `Accept` and `Content-Type`. */
export const mediaTypes: Record<Format, string> = {
  json: "application/json",
  csv: "text/csv",
  parquet: "application/vnd.apache.parquet",
};

/** The format that a request asks for. `?format=` wins over `Accept`, which can only ask for what a list has. */
export function formatOf(
  query: unknown,
  accept: string | undefined,
  { isList }: { isList: boolean },
): Format {
  const named = (query as { format?: unknown } | undefined)?.format;
  if (named === undefined) return isList ? acceptedFormat(accept) : "json";
  const format = formats.find((known) => known === named);
  if (format === "json" || (format && isList)) return format;
  throw new CallerError(
    "bad_request",
    isList
      ? `format must be one of ${formats.join(", ")}`
      : "format must be json or left out: only lists are served as tables, and this is not one",
  );
}

/** The format that `Accept` prefers. JSON unless a table is named: `*` and what browsers send are no wish for one. */
export function acceptedFormat(accept: string | undefined): Format {
  if (accept === undefined || accept === "*/*" || accept === mediaTypes.json) return "json";
  const ranges = accept.toLowerCase();
  if (!ranges.includes(mediaTypes.csv) && !ranges.includes(mediaTypes.parquet)) return "json";
  let best: Wish = { format: "json", quality: 0, isNamed: false };
  for (const range of ranges.split(",")) {
    const wish = wishOf(range);
    if (wish && wish.quality > 0 && isStronger(wish, best)) best = wish;
  }
  return best.format;
}

type Wish = { format: Format; quality: number; isNamed: boolean };

/** Of two wishes that are as strong, the one that names its format; then the one that comes first. */
function isStronger(one: Wish, other: Wish): boolean {
  if (one.quality !== other.quality) return one.quality > other.quality;
  return one.isNamed && !other.isNamed;
}

function wishOf(range: string): Wish | undefined {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
  const isNamed = !type.includes("*");
  const format = isNamed ? formats.find((known) => mediaTypes[known] === type) : "json";
  if (!format || (!isNamed && type !== "*/*" && type !== "application/*")) return undefined;
  const stated = parameters.find((parameter) => parameter.startsWith("q="));
  const quality = stated === undefined ? 1 : Number(stated.slice(2));
  return { format, quality: quality >= 0 && quality <= 1 ? quality : 0, isNamed };
}
