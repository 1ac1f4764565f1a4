import { openLiveMarkets } from "../src/cex/live/live-markets.ts";
import { systemRandom } from "../src/lib/random.ts";
import { FakeExchangeFeed } from "./fake-exchange-feed.ts";
import { steppingClock } from "./stepping-clock.ts";
import { useApp } from "./test-app.ts";

/** The API beside a fake feed of Kraken, under a clock that a test moves. */
export function useCexApp(...markets: string[]) {
  const clock = steppingClock();
  const feed = new FakeExchangeFeed(clock, ...markets);
  const kraken = { id: "kraken", baseUrl: undefined, markets: [], isSandbox: false };
  const served = { exchanges: [kraken], otherExchanges: false };
  const { bus } = feed;
  const app = useApp({}, clock, {
    bus,
    live: (db) => openLiveMarkets({ db, bus, clock, random: systemRandom, ...served }),
  });
  const freshness = ({ headers }: Response) => ({
    age: headers.get("age"),
    asOf: headers.get("slipway-as-of"),
    source: headers.get("slipway-source"),
  });
  return { app, clock, feed, freshness };
}

/** The sentences of an error, and its status. */
export async function faultOf(response: Response): Promise<{ status: number; message: string }> {
  const { errors } = (await response.json()) as { errors: { message: string }[] };
  return { status: response.status, message: errors.map(({ message }) => message).join(" ") };
}
