import type { LiveMarkets } from "../cex/live/live-markets.ts";
import { lacksScope } from "../http/admission.ts";
import type { Caller } from "../http/endpoint.ts";
import { CallerError } from "../lib/errors.ts";
import { type Channel, readChannel } from "./channel.ts";
import type { Wish } from "./connection.ts";
import type { Hub } from "./hub.ts";
import { notAnEventId, type Positions, tagOf } from "./position.ts";
import type { Source } from "./source.ts";
import { openBookSource } from "./sources/book-source.ts";
import type { CexSourceContext } from "./sources/market-watch.ts";
import { openTradeSource } from "./sources/trade-source.ts";

export type WishContext = CexSourceContext & { hub: Hub; live: LiveMarkets };

/** Who asks, and for which account. */
export type Asker = { caller: Caller; userId: string };

/** What there is under a name that was looked up. */
type Found = { key: string; open(): Source };

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

async function find(context: WishContext, channel: Channel, _: Asker): Promise<Found> {
  switch (channel.kind) {
    case "cex.trades":
    case "cex.book": {
      const { value } = await context.live.market(channel.exchange, channel.market);
      const name = { exchange: value.exchange, market: value.id };
      const open = channel.kind === "cex.book" ? openBookSource : openTradeSource;
      return {
        key: `${channel.kind}:${name.exchange}:${name.market}`,
        open: () => open(name, context),
      };
    }
    default:
      throw new CallerError("not_found", "this kind of channel is not there yet");
  }
}
