import { describe, expect, test } from "vitest";
import { useFakeExchange } from "../../../../test/fake-http-exchange.ts";
import { manualClock } from "../../../../test/manual-clock.ts";
import { silentLog } from "../../../../test/silent-log.ts";
import { CallerError, UnavailableError } from "../../../lib/errors.ts";
import { systemRandom } from "../../../lib/random.ts";
import { openCalls } from "./calls.ts";
import { loadExchange } from "./ccxt-exchange.ts";

const fake = useFakeExchange();
const path = "/api.exchange.coinbase.com/time";
const time = { iso: "2026-01-01T00:00:00Z", epoch: 1_767_225_600 };

async function open(id = "coinbaseexchange") {
  const exchange = await loadExchange({ id, baseUrl: fake.baseUrl, isSandbox: false });
  const clock = manualClock();
  const { now: call, later } = openCalls({
    exchange,
    clock,
    random: systemRandom,
    log: silentLog,
  });
  return { exchange, clock, call, later, ask: () => call(() => exchange.fetchTime()) };
}

describe("an exchange that has had enough", () => {
  test.each([429, 418])("of us (%i) is left alone for as long as it says", async (status) => {
    const headers = { "retry-after": "40" };
    fake.on(path, () => ({ status, headers, body: { message: "Slow down" } }));
    const { ask, clock } = await open();
    await expect(ask()).rejects.toThrow(UnavailableError);
    fake.on(path, () => ({ body: time }));
    await expect(ask()).rejects.toThrow("Coinbase Exchange wants no calls for 40 more seconds.");
    clock.advance(39_999);
    await expect(ask()).rejects.toThrow("wants no calls for 1 more second");
    expect(fake.requests).toHaveLength(1);
    clock.advance(1);
    expect(await ask()).toBe(Date.UTC(2026, 0, 1));
  });

  test("is left alone for longer each time when it does not say", async () => {
    fake.on(path, () => ({ status: 429, body: { message: "Slow down" } }));
    const { ask, clock } = await open();
    await expect(ask()).rejects.toThrow("Coinbase Exchange wants fewer calls.");
    const pauses: number[] = [];
    for (let round = 0; round < 4; round++) {
      const begin = clock.now();
      while (await ask().catch((error) => /wants no calls/.test(error.message))) clock.advance(250);
      pauses.push(clock.now() - begin);
    }
    expect(fake.requests).toHaveLength(5);
    for (const [round, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(1_000 * 2 ** round);
    }
  });

  test("may also say so in words", async () => {
    fake.on("/api.kraken.com/0/public/SystemStatus", () => ({
      body: { error: ["EGeneral:Too many requests"] },
    }));
    const { exchange, call } = await open("kraken");
    const ask = () => call(() => exchange.fetchStatus());
    await expect(ask()).rejects.toThrow("Kraken wants fewer calls.");
    await expect(ask()).rejects.toThrow("Kraken wants no calls for");
    expect(fake.requests).toHaveLength(1);
  });
});

describe("calls", () => {
  test("that would wait too long fail at once", async () => {
    const { call } = await open("bitso");
    let answer = (_: number) => {};
    const answered = new Promise<number>((resolve) => {
      answer = resolve;
    });
    const waiting = Array.from({ length: 5 }, () => call(() => answered));
    const sixth = call(() => Promise.resolve(1));
    await expect(sixth).rejects.toThrow("Too many calls to Bitso are waiting already.");
    answer(2);
    expect(await Promise.all(waiting)).toEqual([2, 2, 2, 2, 2]);
  });

  test("that have ended make room for others", async () => {
    const { call } = await open("bitso");
    for (let count = 0; count < 20; count++) {
      await call(() => Promise.reject(new Error("no"))).catch(() => {});
    }
    expect(await call(() => Promise.resolve(1))).toBe(1);
  });
});

describe("calls for which nobody waits", () => {
  test("go one at a time, the last to come first, and leave room for the others", async () => {
    const { call, later } = await open("bitso");
    const order: string[] = [];
    const turns: (() => void)[] = [];
    const work = (name: string) => () =>
      new Promise<void>((resolve) => {
        order.push(name);
        turns.push(resolve);
      });
    const all = ["a", "b", "c"].map((name) => later(work(name)));
    expect(await call(() => Promise.resolve(1))).toBe(1);
    for (let done = 0; done < 3; done++) {
      await expect.poll(() => turns.length).toBe(done + 1);
      turns[done]?.();
    }
    await Promise.all(all);
    expect(order).toEqual(["a", "c", "b"]);
  });

  test("fail by themselves", async () => {
    const { later } = await open("bitso");
    const [one, two] = [later(() => Promise.reject(new Error("no"))), later(async () => 2)];
    await expect(one).rejects.toThrow("Bitso refuses: no");
    expect(await two).toBe(2);
  });
});

describe("what goes wrong is said in words", () => {
  test.each([
    [503, "<html>Wait</html>", "Coinbase Exchange is not available."],
    [504, "gateway", "Coinbase Exchange does not answer in time."],
    [401, {}, "Coinbase Exchange wants a key for that."],
    [400, { message: "Bad limit" }, "Coinbase Exchange refuses: coinbaseexchange Bad limit"],
    [302, "", "Coinbase Exchange cannot be reached."],
  ])("%i", async (status, body, message) => {
    fake.on(path, () => ({ status, headers: { location: "https://elsewhere" }, body }));
    const { ask } = await open();
    await expect(ask()).rejects.toThrow(new UnavailableError(message));
  });

  test("nobody there", async () => {
    const { exchange, call } = await open();
    fake.server.close();
    fake.server.closeAllConnections();
    await expect(call(() => exchange.fetchTime())).rejects.toThrow("cannot be reached");
  });

  test("a market that does not exist", async () => {
    fake.on("/api.exchange.coinbase.com/products", () => ({ body: [] }));
    const { exchange, call } = await open();
    const asked = call(() => exchange.fetchTicker("NO/SUCH"));
    await expect(asked).rejects.toThrow(
      new CallerError("not_found", "Coinbase Exchange has no such market."),
    );
  });

  test("an answer without sense", async () => {
    const { call } = await open();
    const nonsense: { row?: string[] } = {};
    const stumble = async () => (nonsense.row as string[])[0];
    await expect(call(stumble)).rejects.toThrow("sends something that makes no sense");
  });
});
