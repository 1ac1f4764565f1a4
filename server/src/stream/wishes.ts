import { behindWall } from "../accounts/wall.ts";
import { timeframes } from "../cex/timeframes.ts";
import type { Database } from "../database/database.ts";
import { addressBytes, addressText } from "../dex/endpoints/address.ts";
import { placeOf, type ServedChain } from "../dex/endpoints/served.ts";
import { lacksScope } from "../http/admission.ts";
import type { Caller } from "../http/endpoint.ts";
import { CallerError } from "../lib/errors.ts";
import { isId } from "../lib/ids.ts";
import { hasTransaction } from "../ramp/store/events.ts";
import { type Channel, readChannel } from "./channel.ts";
import type { Wish } from "./connection.ts";
import type { Hub } from "./hub.ts";
import { notAnEventId, type Positions, tagOf } from "./position.ts";
import type { Source } from "./source.ts";
import { openBarSource } from "./sources/bar-source.ts";
import { openBookSource } from "./sources/book-source.ts";
import { openCandleSource } from "./sources/candle-source.ts";
import { type EventSourceContext, openEventSource } from "./sources/event-source.ts";
import type { DexSourceContext } from "./sources/index-watch.ts";
import type { CexSourceContext } from "./sources/market-watch.ts";
import { openSwapSource } from "./sources/swap-source.ts";
import { openTradeSource } from "./sources/trade-source.ts";
import { hasPool } from "./store/swaps.ts";

/** A blockchain that is followed, and how many of its newest blocks may be replaced. */
type StreamedChain = ServedChain & { chain: { finalityBlocks: number } };

/** What it takes to find what channels mean. */
export type WishContext = CexSourceContext &
  DexSourceContext &
  EventSourceContext & { db: Database; hub: Hub; chains(): readonly StreamedChain[] };

/** Who asks, and for which account. */
export type Asker = { caller: Caller; userId: string };

/** What there is under a name that was looked up. */
type Found = { key: string; open(): Source };

type Of<Kind extends Channel["kind"]> = Channel & { kind: Kind };

/** Finds what channels mean. All are found, or none is listened to and the first fault is thrown. */
export async function findWishes(
  context: WishContext,
  names: readonly string[],
  asker: Asker,
  positions: Positions,
): Promise<Wish[]> {
  const channels = names.map((name) => ({ name, channel: readChannel(name) }));
  for (const { channel } of channels) expectScope(channel, asker.caller);
  const found = await Promise.all(
    channels.map(async ({ name, channel }) => ({
      name,
      tag: tagOf(name, channel.kind === "ramp.transactions" ? asker.userId : undefined),
      ...(await find(context, channel, asker).catch((error) => {
        throw naming(name, error);
      })),
    })),
  );
  const wishes = found.map(({ name, tag, key, open }) => {
    const { source, release } = context.hub.take(key, open);
    return { channel: name, tag, source, release, position: positions.get(tag) };
  });
  if (wishes.every(hasGoodPosition)) return wishes;
  for (const { release } of wishes) release();
  throw notAnEventId();
}

function hasGoodPosition({ source, position }: Wish): boolean {
  if (position === undefined) return true;
  return source.kind === "durable" && source.accepts(position);
}

function expectScope({ kind }: Channel, { scopes }: Caller): void {
  const scope = kind === "ramp.transactions" ? "ramp:read" : "data:read";
  if (!scopes.has(scope)) throw lacksScope(scope);
}

/** What is wrong with a channel, with its name. */
function naming(name: string, error: unknown): unknown {
  if (!(error instanceof CallerError)) return error;
  return new CallerError(error.fault, `channel ${name}: ${error.message}`);
}

function find(context: WishContext, channel: Channel, asker: Asker): Promise<Found> {
  switch (channel.kind) {
    case "cex.trades":
    case "cex.book":
      return findMarket(context, channel);
    case "cex.candles":
      return findCandles(context, channel);
    case "dex.swaps":
    case "dex.bars":
      return findPool(context, channel);
    case "ramp.transactions":
      return findEvents(context, channel, asker);
  }
}

async function findMarket(
  context: WishContext,
  { kind, ...asked }: Of<"cex.trades" | "cex.book">,
): Promise<Found> {
  const name = await marketOf(context, asked);
  const open = kind === "cex.book" ? openBookSource : openTradeSource;
  return { key: `${kind}:${name.exchange}:${name.market}`, open: () => open(name, context) };
}

async function findCandles(
  context: WishContext,
  { kind, timeframe, ...asked }: Of<"cex.candles">,
): Promise<Found> {
  const seconds = timeframes.get(timeframe);
  if (seconds === undefined) {
    const known = [...timeframes.keys()].join(", ");
    throw new CallerError("bad_request", `the timeframe must be one of ${known}`);
  }
  const name = { ...(await marketOf(context, asked)), timeframe, seconds };
  return {
    key: `${kind}:${name.exchange}:${name.market}:${timeframe}`,
    open: () => openCandleSource(name, context),
  };
}

/** The names that a market really has. */
async function marketOf(
  { live }: WishContext,
  { exchange, market }: { exchange: string; market: string },
) {
  const { value } = await live.market(exchange, market);
  return { exchange: value.exchange, market: value.id };
}

async function findPool(
  context: WishContext,
  channel: Of<"dex.swaps" | "dex.bars">,
): Promise<Found> {
  const { chains, db } = context;
  const { exchange, blockchain } = channel;
  const place = placeOf(chains(), { exchange, blockchain });
  const pool = addressBytes("pool", channel.pool);
  const key = `${channel.kind}:${exchange}:${blockchain}:${addressText(pool)}`;
  const name = { place, pool };
  const timeframe = channel.kind === "dex.bars" ? barTimeframe(channel.timeframe) : undefined;
  if (!(await hasPool(db, name))) {
    const message = `Pool ${addressText(pool)} was not found on ${exchange} on ${blockchain}.`;
    throw new CallerError("not_found", message);
  }
  if (timeframe) {
    const open = () => openBarSource({ ...name, timeframe }, context);
    return { key: `${key}:${timeframe}`, open };
  }
  const served = chains().find(({ chain }) => chain.id === blockchain);
  const finalityBlocks = served?.chain.finalityBlocks ?? 0;
  return { key, open: () => openSwapSource(name, { ...context, finalityBlocks }) };
}

function barTimeframe(timeframe: string): "hour" | "day" {
  if (timeframe === "hour" || timeframe === "day") return timeframe;
  throw new CallerError("bad_request", "the timeframe must be hour or day");
}

/** Somebody else's transaction is the same as none. */
async function findEvents(
  context: WishContext,
  { transactionId }: Of<"ramp.transactions">,
  { userId }: Asker,
): Promise<Found> {
  if (transactionId !== undefined) {
    const isThere =
      isId("txn", transactionId) &&
      (await behindWall(context.db, userId, (tx) => hasTransaction(tx, userId, transactionId)));
    if (!isThere) {
      throw new CallerError("not_found", `Transaction ${transactionId} was not found.`);
    }
  }
  const name = { userId, transactionId };
  return {
    key: `ramp.transactions:${userId}:${transactionId ?? ""}`,
    open: () => openEventSource(name, context),
  };
}
