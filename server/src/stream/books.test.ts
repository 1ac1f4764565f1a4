import { expect, test } from "vitest";
import { useCexApp } from "../../test/cex-app.ts";
import { listen } from "../../test/stream-client.ts";

const { app, clock, feed } = useCexApp("BTC-USD", "ETH-USD");

test("a book comes as a whole, and then as changes", async () => {
  feed.setBook("BTC-USD", [100, 1, 99, 2], [101, 3, 102, 4]);
  await feed.goLive("BTC-USD");
  const client = await listen(app.url, ["cex.book:kraken:btc/usd"]);
  await client.untilCount("book", 1);
  expect(client.messages).toEqual([
    { type: "subscribed", channel: "cex.book:kraken:btc/usd", resumed: false },
    {
      type: "book",
      channel: "cex.book:kraken:btc/usd",
      nonce: feed.book("BTC-USD").nonce,
      bids: [
        [100, 1],
        [99, 2],
      ],
      asks: [
        [101, 3],
        [102, 4],
      ],
    },
  ]);
  clock.advance(1_000);
  feed.change("BTC-USD", [100, 0, 98, 5], [101, 1]);
  await client.untilCount("bookChange", 1);
  client.leave();
});
