import { beforeAll, describe, expect, test } from "vitest";
import { useCexApp } from "../../../test/cex-app.ts";

const { app, clock, feed } = useCexApp("BTC-USD", "ETH-USD");

const ready = async () => {
  const response = await app.ask("/health/ready");
  const { status, cex } = (await response.json()) as { status: string; cex: object };
  return { code: response.status, status, cex };
};

describe("health of an exchange's feed", () => {
  test("down before it was heard of, and the service goes on", async () => {
    expect(await ready()).toMatchObject({
      code: 200,
      status: "degraded",
      cex: { kraken: { state: "down", reason: "its feed has not been heard of yet", age: null } },
    });
  });

  test("ok while its markets are live", async () => {
    await feed.goLive("BTC-USD", { resyncs: 2, gaps: 1 });
    await feed.goLive("ETH-USD", { resyncs: 3 });
    clock.advance(2_000);
    expect(await ready()).toEqual({
      code: 200,
      status: "ok",
      cex: {
        kraken: {
          state: "ok",
          reason: null,
          status: "ok",
          markets: 2,
          resyncs: 5,
          gaps: 1,
          age: 2,
        },
      },
    });
  });

  test("degraded while a book is had anew, or the exchange says so", async () => {
    feed.lose("ETH-USD", "crossed");
    await feed.tellStatus();
    const reason = "1 of its markets are getting their books anew";
    expect(await ready()).toMatchObject({
      status: "degraded",
      cex: { kraken: { state: "degraded", reason, markets: 1 } },
    });
    await feed.goLive("ETH-USD");
    feed.status = "maintenance";
    await feed.tellStatus();
    expect(await ready()).toMatchObject({
      cex: { kraken: { state: "degraded", reason: "the exchange says: maintenance" } },
    });
    feed.status = "ok";
  });

  test("down when it falls silent", async () => {
    await feed.tellStatus();
    clock.advance(5_000);
    expect(await ready()).toMatchObject({
      code: 200,
      status: "degraded",
      cex: { kraken: { state: "down", reason: "its feed has not been heard of for 5 s" } },
    });
  });
});

describe("metrics of live markets", () => {
  beforeAll(async () => {
    const faults = { checksum: 4, sequence: 0, crossed: 0, silent: 0, closed: 1 };
    await feed.goLive("BTC-USD", { resyncs: 2, gaps: 1, snapshots: 3, faults });
    await feed.goLive("ETH-USD");
    clock.advance(1_500);
  });
  const metrics = async () => (await app.ask("/metrics")).text();

  test("are told by exchange and market", async () => {
    const text = await metrics();
    const labels = 'exchange="kraken",market="BTC-USD"';
    expect(text).toContain(`slipway_cex_age_seconds{${labels}} 1.5`);
    expect(text).toContain(`slipway_cex_resyncs_total{${labels}} 2`);
    expect(text).toContain(`slipway_cex_snapshots_total{${labels}} 3`);
    expect(text).toContain(`slipway_cex_gaps_total{${labels}} 1`);
    expect(text).toContain(`slipway_cex_faults_total{${labels},fault="checksum"} 4`);
    expect(await metrics()).toContain(`slipway_cex_resyncs_total{${labels}} 2`);
  });

  test("end with the market", async () => {
    expect(await metrics()).toContain('market="ETH-USD"');
    await feed.leave("ETH-USD");
    expect(await metrics()).not.toContain('market="ETH-USD"');
  });
});
