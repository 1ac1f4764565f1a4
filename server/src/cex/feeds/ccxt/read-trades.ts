import { createHash } from "node:crypto";
import { isObject } from "../../../lib/is-object.ts";
import type { Trade } from "../../market.ts";
import { compareKeys } from "../../trade-key.ts";
import { readFigure, readNumber, shortest } from "./figures.ts";

type Read = Omit<Trade, "id" | "side"> & {
  id: string | undefined;
  side: Trade["side"] | undefined;
};

/**
 * Reads trades as ccxt gives them, oldest first. Those without an id get one that they will have again next time;
 * those without a side were bought when the price had risen.
 */
export function readTrades(value: unknown): Trade[] {
  const found = [value].flat().flatMap(readTrade);
  return withSides(withIds(found).sort(compareKeys));
}

/** Without a time, a price and a size it is no trade. */
function readTrade(value: unknown): Read[] {
  if (!isObject(value)) return [];
  const { id, side } = value;
  const time = readNumber(value.timestamp);
  const price = readFigure(value.price);
  const size = readFigure(value.amount);
  if (time === undefined || !isPositive(price) || !isPositive(size)) return [];
  return [
    {
      id: typeof id === "string" && id !== "" ? id : undefined,
      time: Math.trunc(time),
      price,
      size,
      side: side === "buy" || side === "sell" ? side : undefined,
    },
  ];
}

function isPositive(figure: string | undefined): figure is string {
  return Number(figure) > 0;
}

function withIds(trades: Read[]): (Read & { id: string })[] {
  const seen = new Map<string, number>();
  return trades.map((trade) => {
    if (trade.id !== undefined) return { ...trade, id: trade.id };
    const { time, price, size, side = "" } = trade;
    const key = `${time} ${shortest(price)} ${shortest(size)} ${side}`;
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    const digest = createHash("sha256").update(`${key} ${ordinal}`).digest("hex");
    return { ...trade, id: `h${digest.slice(0, 24)}` };
  });
}

function withSides(trades: (Read & { id: string })[]): Trade[] {
  let side: Trade["side"] = "buy";
  let last: number | undefined;
  return trades.map((trade) => {
    const price = Number(trade.price);
    if (last !== undefined && price !== last) side = price > last ? "buy" : "sell";
    last = price;
    return { ...trade, side: trade.side ?? side };
  });
}
