import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectKraken, type KrakenClient } from "../../../test/kraken-client.ts";
import { quickClock } from "../../../test/quick-clock.ts";
import { silentLog } from "../../../test/silent-log.ts";
import { type ExchangeServer, openExchangeServer } from "./exchange-server.ts";
import { type FaultKind, faultKinds } from "./faults.ts";

const symbol = "BTC/USD";
let server: ExchangeServer;
let client: KrakenClient;
beforeEach(async () => {
  server = await openExchangeServer({ clock: quickClock(5), seed: 7, port: 0, log: silentLog });
  client = await connectKraken(server.port);
});
afterEach(async () => {
  client.socket.terminate();
  await server.close();
});

const happened = (kind: FaultKind) => server.faults().happened[kind];

/** Resolves when this many more books or changes have come. */
async function moreBooks(count: number): Promise<void> {
  const before = client.books;
  await expect.poll(() => client.books).toBeGreaterThanOrEqual(before + count);
}

async function followBook(): Promise<void> {
  client.subscribe("book", symbol, { depth: 10 });
  await moreBooks(3);
  expect(client.mismatches).toBe(0);
}

const isCrossed = () => Number(client.bids()[0]?.[0]) >= Number(client.asks()[0]?.[0]);
const bookFrames = () => client.frames.filter((frame) => frame.includes('"channel":"book"'));
const rest = (path: string) =>
  fetch(`http://127.0.0.1:${server.port}/api.kraken.com/0/public/${path}`);
const faultsUrl = () => `http://127.0.0.1:${server.port}/sandbox/faults`;

describe("faults of a book", () => {
  test("a change that is not sent shows in the checksums", async () => {
    await followBook();
    server.setFaults([{ kind: "dropBookChange", symbol, count: 3 }]);
    await expect.poll(() => client.mismatches).toBeGreaterThan(0);
    expect(happened("dropBookChange")).toBe(3);
    expect(server.faults().faults).toEqual([]);
  });

  test("a change that is sent twice harms nobody", async () => {
    await followBook();
    server.setFaults([{ kind: "repeatBookChange", count: 2 }]);
    await moreBooks(10);
    const frames = bookFrames();
    expect(frames.filter((frame, at) => frame === frames[at - 1]).length).toBe(2);
    expect(client.mismatches).toBe(0);
  });

  test("changes that change places show in the checksums", async () => {
    await followBook();
    server.setFaults([{ kind: "swapBookChanges", symbol, count: 3 }]);
    await expect.poll(() => client.mismatches).toBeGreaterThan(0);
    const times = bookFrames().map((frame) => /"timestamp":"([^"]+)"/.exec(frame)?.[1] ?? "");
    expect(times).not.toEqual(times.toSorted());
  });

  test("a crossed book has a right checksum, and the next change mends it", async () => {
    await followBook();
    let crossed = 0;
    client.socket.on("message", () => {
      if (isCrossed()) crossed++;
    });
    server.setFaults([{ kind: "crossBook", symbol, count: 1 }]);
    await expect.poll(() => happened("crossBook")).toBe(1);
    await moreBooks(5);
    expect(crossed).toBeGreaterThan(0);
    expect(isCrossed()).toBe(false);
    expect(client.mismatches).toBe(0);
  });

  test("a crossed book of which checksums do not know stays crossed for who does not look", async () => {
    await followBook();
    server.setFaults([{ kind: "crossBookUnchecked", symbol, count: 1 }]);
    await expect.poll(() => client.mismatches).toBeGreaterThan(3);
  });

  test("a wrong checksum is wrong once, and the book is right", async () => {
    await followBook();
    server.setFaults([{ kind: "wrongChecksum", symbol, count: 1 }]);
    await expect.poll(() => happened("wrongChecksum")).toBe(1);
    await moreBooks(5);
    expect(client.mismatches).toBe(1);
  });

  test("in one market leave the others alone", async () => {
    await followBook();
    server.setFaults([{ kind: "dropBookChange", symbol: "ETH/USD" }]);
    await moreBooks(10);
    expect([client.mismatches, happened("dropBookChange")]).toEqual([0, 0]);
  });

  test("are over for who subscribes anew", async () => {
    await followBook();
    server.setFaults([{ kind: "dropBookChange", symbol, count: 5 }]);
    await expect.poll(() => client.mismatches).toBeGreaterThan(0);
    client.send({ method: "unsubscribe", params: { channel: "book", symbol: [symbol] } });
    await expect.poll(() => client.heard("method", "unsubscribe").length).toBe(1);
    client.subscribe("book", symbol, { depth: 10 });
    await expect
      .poll(() => bookFrames().filter((frame) => frame.includes('"type":"snapshot"')).length)
      .toBe(2);
    const { mismatches } = client;
    await moreBooks(10);
    expect(client.mismatches).toBe(mismatches);
  });
});

describe("faults of trades", () => {
  test("trades that are not streamed leave a hole", async () => {
    client.subscribe("trade", symbol);
    await expect.poll(() => client.tradeIds.length).toBeGreaterThan(50);
    server.setFaults([{ kind: "dropTrades", count: 1 }]);
    await expect.poll(() => happened("dropTrades")).toBe(1);
    const { length } = client.tradeIds;
    await expect.poll(() => client.tradeIds.length).toBeGreaterThan(length);
    const [first = 0] = client.tradeIds;
    expect(client.tradeIds.at(-1)).toBeGreaterThan(first + client.tradeIds.length - 1);
  });

  test("trades that are streamed twice have the same ids", async () => {
    client.subscribe("trade", symbol);
    await expect.poll(() => client.tradeIds.length).toBeGreaterThan(50);
    server.setFaults([{ kind: "repeatTrades", count: 1 }]);
    await expect.poll(() => new Set(client.tradeIds).size < client.tradeIds.length).toBe(true);
    expect(happened("repeatTrades")).toBe(1);
  });
});

describe("faults of connections", () => {
  test("streams are cut, and new ones work when it is over", async () => {
    server.setFaults([{ kind: "closeSockets", count: 1 }]);
    await expect.poll(() => client.isClosed).toBe(true);
    const next = await connectKraken(server.port);
    await expect.poll(() => next.heard("channel", "status").length).toBe(1);
    next.socket.terminate();
  });

  test("a stream that stalls is open, but silent, whatever one asks", async () => {
    await followBook();
    server.setFaults([{ kind: "stall" }]);
    let pongs = 0;
    client.socket.on("pong", () => pongs++);
    client.socket.ping();
    client.send({ method: "ping" });
    await expect.poll(() => happened("stall")).toBeGreaterThan(10);
    const { length } = client.frames;
    await expect.poll(() => happened("stall")).toBeGreaterThan(20);
    expect([client.frames.length, pongs, client.isClosed]).toEqual([length, 0, false]);
    server.setFaults([]);
    await moreBooks(1);
  });

  test("new streams and requests are refused, but for those of the sandbox", async () => {
    server.setFaults([{ kind: "refuseConnections" }]);
    await expect(connectKraken(server.port)).rejects.toThrow();
    await expect(rest("Time")).rejects.toThrow();
    expect((await fetch(faultsUrl(), { method: "DELETE" })).status).toBe(200);
    expect((await rest("Time")).status).toBe(200);
  });
});

describe("faults of REST", () => {
  test("under maintenance the status says so, and nothing else is to be had", async () => {
    server.setFaults([{ kind: "maintenance" }]);
    expect(await (await rest("SystemStatus")).json()).toMatchObject({
      result: { status: "maintenance" },
    });
    expect(await (await rest("Time")).json()).toEqual({ error: ["EService:Unavailable"] });
    const next = await connectKraken(server.port);
    await expect
      .poll(() => next.heard("channel", "status")[0])
      .toMatchObject({ data: [{ system: "maintenance" }] });
    next.socket.terminate();
  });

  test.each<[FaultKind, number]>([
    ["tooManyRequests", 429],
    ["serverError", 503],
  ])("%s is answered with %i, as often as it was asked for", async (kind, status) => {
    server.setFaults([{ kind, count: 2 }]);
    const statuses = [await rest("Time"), await rest("Time"), await rest("Time")];
    expect(statuses.map((response) => response.status)).toEqual([status, status, 200]);
    expect(happened(kind)).toBe(2);
  });

  test("an answer that is late comes all the same", async () => {
    server.setFaults([{ kind: "slow", delayMs: 200, count: 1 }]);
    expect((await rest("Time")).status).toBe(200);
    expect(happened("slow")).toBe(1);
  });
});

describe("faults as JSON", () => {
  const post = (body: unknown) =>
    fetch(faultsUrl(), { method: "POST", body: JSON.stringify(body) });

  test("are set, shown and removed", async () => {
    const faults = [
      { kind: "slow", delayMs: 5 },
      { kind: "dropTrades", symbol, count: 3 },
    ];
    expect(await (await post({ faults })).json()).toMatchObject({ faults });
    const shown = (await (await fetch(faultsUrl())).json()) as { happened: object };
    expect(shown).toMatchObject({ faults });
    expect(Object.keys(shown.happened)).toEqual(Object.keys(faultKinds));
    expect(await (await fetch(faultsUrl(), { method: "DELETE" })).json()).toMatchObject({
      faults: [],
    });
  });

  test.each<[unknown, string]>([
    [{}, "Required field is missing: faults"],
    [
      { faults: [7] },
      "faults.0 must be an object with kind and, if need be, symbol, count and delayMs",
    ],
    [
      { faults: [{ kind: "slow" }] },
      "faults.0.delayMs must be there: it says how late answers are",
    ],
    [
      { faults: [{ kind: "stall", delayMs: 1 }] },
      "faults.0.delayMs must be left out: only slow has a delay",
    ],
    [
      { faults: [{ kind: "stall", symbol }] },
      "faults.0.symbol must be left out: stall concerns the whole exchange",
    ],
    [
      { faults: [{ kind: "dropTrades", symbol: "A/B" }] },
      "faults.0.symbol must be a market of the exchange, such as BTC/USD",
    ],
    [
      { faults: [{ kind: "stall", cout: 1 }] },
      "faults.0.cout must be left out: there is no such field",
    ],
  ])("are refused when they are %j", async (body, message) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: expect.arrayContaining([{ message }]) });
  });

  test("of an unknown kind are refused with the list of kinds", async () => {
    const { errors } = (await (await post({ faults: [{ kind: "rain" }] })).json()) as {
      errors: { message: string }[];
    };
    expect(errors[0]?.message).toContain(
      "faults.0.kind must be one of dropBookChange, repeatBookChange",
    );
  });

  test.each([
    ["book?symbol=NOPE", 400, "symbol must be a market, such as BTC/USD"],
    ["trades?symbol=BTC/USD&from=x&to=2", 400, "from must be the id of a trade, a whole number"],
    ["trades?symbol=BTC/USD&from=1&to=200000", 400, "to must be less than 20000 above from"],
    ["nothing", 404, "There are /sandbox/faults, /sandbox/book and /sandbox/trades."],
  ])("and of the sandbox's other paths: %s is answered with %i", async (path, status, message) => {
    const response = await fetch(`http://127.0.0.1:${server.port}/sandbox/${path}`);
    expect([response.status, await response.json()]).toEqual([status, { errors: [{ message }] }]);
  });

  test("the true book is the one that is streamed", async () => {
    client.subscribe("book", symbol, { depth: 1_000 });
    await moreBooks(2);
    const sameBook = async () => {
      const response = await fetch(`http://127.0.0.1:${server.port}/sandbox/book?symbol=${symbol}`);
      const { bids, asks } = (await response.json()) as { bids: unknown; asks: unknown };
      return JSON.stringify([bids, asks]) === JSON.stringify([client.bids(), client.asks()]);
    };
    await expect.poll(sameBook).toBe(true);
  });
});
