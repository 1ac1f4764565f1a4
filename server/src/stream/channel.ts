import { CallerError } from "../lib/errors.ts";
import { didYouMean } from "../lib/suggest.ts";

/** What can be listened to, as it was asked for: names are not looked up yet. */
export type Channel =
  | { kind: "cex.trades" | "cex.book"; exchange: string; market: string }
  | { kind: "cex.candles"; exchange: string; market: string; timeframe: string }
  | { kind: "dex.swaps"; exchange: string; blockchain: string; pool: string }
  | { kind: "dex.bars"; exchange: string; blockchain: string; pool: string; timeframe: string }
  | { kind: "ramp.transactions"; transactionId: string | undefined };

type Kind = Channel["kind"];

const forms: Record<Kind, string> = {
  "cex.trades": "cex.trades:{exchange}:{market}, such as cex.trades:kraken:BTC-USD",
  "cex.book": "cex.book:{exchange}:{market}, such as cex.book:kraken:BTC-USD",
  "cex.candles":
    "cex.candles:{exchange}:{market}:{timeframe}, such as cex.candles:kraken:BTC-USD:1m",
  "dex.swaps":
    "dex.swaps:{exchange}:{blockchain}:{pool}, such as dex.swaps:uniswap-v3:ethereum:0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640",
  "dex.bars":
    "dex.bars:{exchange}:{blockchain}:{pool}:{timeframe}, such as dex.bars:uniswap-v3:ethereum:0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640:hour",
  "ramp.transactions": "ramp.transactions, or ramp.transactions:{transactionId}",
};
const kinds = Object.keys(forms) as Kind[];

const channelsMost = 100;
const lengthMost = 200;

/** The channels of a request, each once: `channels` holds several with commas between, and may come repeatedly. */
export function namesOf(...given: readonly (string | readonly string[] | undefined)[]): string[] {
  const names = given
    .flat()
    .flatMap((text) => text?.split(",") ?? [])
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return [...new Set(names)];
}

/** Holds that there are not too many channels on one connection. */
export function refuseTooMany(count: number): void {
  if (count <= channelsMost) return;
  throw new CallerError(
    "bad_request",
    `channels must be at most ${channelsMost} on one connection, not ${count}; open another for the rest`,
  );
}

/** Reads a channel's name; what is none is 400 with the form that it should have. */
export function readChannel(name: string): Channel {
  const shown = shortened(name);
  const [kind = "", ...parts] = name.length > lengthMost ? [""] : name.split(":");
  if (!isKind(kind)) {
    const meant = didYouMean(kind, kinds);
    throw new CallerError(
      "bad_request",
      `channel ${shown} must begin with one of ${kinds.join(", ")}.${meant}`,
    );
  }
  const channel = parts.includes("") ? undefined : channelOf(kind, parts);
  if (channel) return channel;
  throw new CallerError("bad_request", `channel ${shown} must look like ${forms[kind]}`);
}

function channelOf(kind: Kind, parts: readonly string[]): Channel | undefined {
  const [first = "", second = "", third = "", fourth = ""] = parts;
  const count = parts.length;
  switch (kind) {
    case "cex.trades":
    case "cex.book":
      // Symbols of futures have a colon of their own.
      return count >= 2 ? { kind, exchange: first, market: parts.slice(1).join(":") } : undefined;
    case "cex.candles": {
      const [market, timeframe = ""] = [parts.slice(1, -1).join(":"), parts.at(-1)];
      return count >= 3 ? { kind, exchange: first, market, timeframe } : undefined;
    }
    case "dex.swaps":
      return count === 3 ? { kind, exchange: first, blockchain: second, pool: third } : undefined;
    case "dex.bars":
      return count === 4
        ? { kind, exchange: first, blockchain: second, pool: third, timeframe: fourth }
        : undefined;
    case "ramp.transactions":
      return count <= 1 ? { kind, transactionId: parts[0] } : undefined;
  }
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(forms, text);
}

/** Enough of a name to find it again. */
function shortened(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
}
