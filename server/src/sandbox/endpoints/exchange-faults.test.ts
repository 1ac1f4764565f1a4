import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { silentLog } from "../../../test/silent-log.ts";
import { useApp } from "../../../test/test-app.ts";
import { openThreadBus } from "../../bus/thread-bus.ts";
import { systemClock as clock } from "../../lib/clock.ts";
import { systemRandom as random } from "../../lib/random.ts";
import { type ExchangeServer, openExchangeServer } from "../exchange/exchange-server.ts";
import { answerExchangeFaults, exchangeFaultEndpoints } from "./exchange-faults.ts";

const path = "/sandbox/exchange/faults";
const bus = openThreadBus("test-exchange-faults");
const app = useApp({}, clock, { sandboxEndpoints: exchangeFaultEndpoints({ bus, clock, random }) });
let exchange: ExchangeServer;

beforeAll(async () => {
  exchange = await openExchangeServer({ clock, seed: 1, port: 0, log: silentLog });
  answerExchangeFaults(bus, `http://127.0.0.1:${exchange.port}`);
});
afterAll(async () => {
  await exchange.close();
  await bus.close();
});

const post = (body: unknown) =>
  app.ask(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

describe("faults of the sandbox's exchange", () => {
  test("are switched on, seen, counted, and switched off", async () => {
    expect(await (await app.ask(path)).json()).toMatchObject({ faults: [], happened: { slow: 0 } });
    const faults = [{ kind: "serverError", count: 2 }];
    const set = await post({ faults });
    expect(set.status).toBe(200);
    expect(await set.json()).toMatchObject({ faults });
    const url = `http://127.0.0.1:${exchange.port}/api.kraken.com/0/public/Time`;
    expect((await fetch(url)).status).toBe(503);
    expect(await (await app.ask(path)).json()).toMatchObject({
      faults: [{ kind: "serverError", count: 1 }],
      happened: { serverError: 1 },
    });
    expect(await (await app.ask(path, { method: "DELETE" })).json()).toMatchObject({ faults: [] });
    expect((await fetch(url)).status).toBe(200);
  });

  test("are switched on as docs/cex.md shows", async () => {
    const docs = readFileSync(new URL("../../../../docs/cex.md", import.meta.url), "utf8");
    const [, body = ""] = /exchange\/faults.*?-d '(.+?)'/s.exec(docs) ?? [];
    const answer = await post(JSON.parse(body));
    expect([answer.status, await answer.json()]).toMatchObject([200, JSON.parse(body)]);
    await app.ask(path, { method: "DELETE" });
  });

  test.each([
    [{}, "Required field is missing: faults"],
    [{ faults: [{}] }, "Required field is missing: faults.0.kind"],
    [{ faults: [{ kind: "slow" }] }, "faults.0.delayMs must be there"],
    [{ faults: [{ kind: "stall", count: 0 }] }, "faults.0.count must be a whole number from 1"],
    [{ faults: [{ kind: "odd" }] }, "faults.0.kind must be one of dropBookChange, "],
    [{ faults: [{ kind: "crossBook", symbol: "X" }] }, "faults.0.symbol must be a market"],
  ])("%j is refused with the reason", async (body, message) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    const { errors } = (await answer.json()) as { errors: { message: string }[] };
    expect(errors[0]?.message).toContain(message);
  });

  test("need a key", async () => {
    expect((await fetch(app.url + path)).status).toBe(401);
  });
});
