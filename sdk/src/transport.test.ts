import { describe, expect, test } from "vitest";
import { stillSurroundings } from "../test/still-surroundings.ts";
import { Slipway, SlipwayError, UnreachableError } from "./slipway.ts";
import type { SlipwayOptions } from "./transport.ts";

type Reply = { status: number; headers?: Record<string, string>; body?: unknown } | Error | "never";

const ok: Reply = { status: 200, body: { done: true } };
const busy: Reply = { status: 503, headers: { "retry-after": "2" } };

/** A client whose service gives these answers one after the other, the last one for ever. */
function scripted(replies: Reply[], options: Partial<SlipwayOptions> = {}) {
  const asked: RequestInit[] = [];
  const { surroundings, pauses } = stillSurroundings();
  const client = new Slipway({
    baseUrl: "http://service",
    fetch: async (_, init) => {
      asked.push(init);
      const reply = replies[Math.min(asked.length, replies.length) - 1];
      if (reply === "never") return untilAborted(init.signal);
      if (reply instanceof Error || !reply) throw reply;
      const { status, headers, body } = reply;
      const text = body === undefined ? null : JSON.stringify(body);
      return new Response(text, { status, ...(headers && { headers }) });
    },
    surroundings,
    ...options,
  });
  const keys = () => asked.map(({ headers }) => new Headers(headers).get("idempotency-key"));
  return { client, asked, pauses, keys };
}

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) =>
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true }),
  );
}

const thrownBy = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a call that fails in a way that passes", () => {
  test.each([408, 429, 500, 502, 503, 504])("is tried again after a %i", async (status) => {
    const { client, asked } = scripted([{ status }, ok]);
    expect(await client.cex.exchanges()).toEqual({ done: true });
    expect(asked).toHaveLength(2);
  });

  test.each([400, 401, 403, 404, 409, 422, 501])("is not after a %i", async (status) => {
    const { client, asked } = scripted([{ status }, ok]);
    expect(await thrownBy(client.cex.exchanges())).toMatchObject({ status });
    expect(asked).toHaveLength(1);
  });

  test("is tried three times more, with pauses that double", async () => {
    const refused = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
    const { client, asked, pauses } = scripted([refused]);
    const error = await thrownBy(client.cex.exchanges());
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({ message: "No answer from http://service: connect ECONNREFUSED" });
    expect(asked).toHaveLength(4);
    expect(pauses).toEqual([500, 1_000, 2_000]);
  });

  test("waits a random part of the pause less, and never longer than eight seconds", async () => {
    const { surroundings, pauses } = stillSurroundings({ random: () => 0 });
    const { client } = scripted([{ status: 500 }], { retries: 6, surroundings });
    await thrownBy(client.cex.exchanges());
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000]);
  });

  test("waits as long as the service says, in seconds or until a date", async () => {
    const date = new Date(1_700_000_000_000 + 7_000).toUTCString();
    const { client, pauses } = scripted([
      busy,
      { status: 429, headers: { "retry-after": date } },
      ok,
    ]);
    expect(await client.cex.exchanges()).toEqual({ done: true });
    expect(pauses).toEqual([2_000, 7_000]);
  });

  test("is given up at once when the service wants to be left alone for longer than a minute", async () => {
    const { client, asked } = scripted([{ status: 429, headers: { "retry-after": "61" } }]);
    expect(await thrownBy(client.cex.exchanges())).toMatchObject({ status: 429, retryAfter: 61 });
    expect(asked).toHaveLength(1);
  });

  test("is tried as often as the client or the call says", async () => {
    const { client, asked } = scripted([busy], { retries: 1 });
    await thrownBy(client.cex.exchanges());
    expect(asked).toHaveLength(2);
    await thrownBy(client.cex.exchanges({ retries: 0 }));
    expect(asked).toHaveLength(3);
  });
});

describe("a POST", () => {
  test("has a key of its own, which all of its tries share", async () => {
    const { client, keys } = scripted([busy, ok, ok]);
    await client.ramp.webhooks.rotate("whk-1");
    await client.ramp.webhooks.rotate("whk-1");
    expect(keys()).toEqual(["key-1", "key-1", "key-2"]);
  });

  test("keeps the key that it is given", async () => {
    const { client, keys } = scripted([new TypeError("reset"), ok]);
    await client.ramp.webhooks.rotate("whk-1", { idempotencyKey: "mine" });
    expect(keys()).toEqual(["mine", "mine"]);
  });

  test("waits while the service is still busy with an earlier try", async () => {
    const { client, asked } = scripted([new TypeError("reset"), { status: 409 }, ok]);
    expect(await client.ramp.webhooks.rotate("whk-1")).toEqual({ done: true });
    expect(asked).toHaveLength(3);
  });

  test("has keys that differ when nothing is handed in", async () => {
    const seen = new Set<string | null>();
    const client = new Slipway({
      baseUrl: "http://service",
      fetch: async (_, { headers }) => {
        seen.add(new Headers(headers).get("idempotency-key"));
        return Response.json({});
      },
    });
    for (let count = 0; count < 50; count++) await client.ramp.webhooks.rotate("whk-1");
    expect(seen.size).toBe(50);
    for (const key of seen) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });
});

test("what a lost try has deleted is gone; what was never there is an error", async () => {
  const { client } = scripted([new TypeError("reset"), { status: 404, body: { errors: [] } }]);
  expect(await client.ramp.wallets.delete("wal-1")).toBeUndefined();
  expect(await thrownBy(client.ramp.wallets.delete("wal-1"))).toMatchObject({ status: 404 });
});

describe("a call ends", () => {
  test("when no answer comes in time, and is tried again", async () => {
    const { client, pauses } = scripted(["never", "never", ok]);
    expect(await client.cex.exchanges({ timeoutMs: 77 })).toEqual({ done: true });
    expect(pauses).toEqual([77, 500, 77, 1_000]);
    const hopeless = scripted(["never"], { retries: 0, timeoutMs: 5 });
    expect(await thrownBy(hopeless.client.cex.exchanges())).toMatchObject({
      name: "UnreachableError",
      message: "No answer from http://service within 5 ms",
    });
  });

  test("when its signal is aborted, with the signal's reason: before, during and between tries", async () => {
    const { client, asked } = scripted(["never"], { surroundings: { after: () => () => {} } });
    const reason = new Error("no longer wanted");
    expect(await thrownBy(client.cex.exchanges({ signal: AbortSignal.abort(reason) }))).toBe(
      reason,
    );
    expect(asked).toHaveLength(0);
    const during = new AbortController();
    const call = thrownBy(client.cex.exchanges({ signal: during.signal }));
    during.abort(reason);
    expect(await call).toBe(reason);

    const pausing = new AbortController();
    const waiting = scripted([busy], {
      surroundings: {
        after: (ms) => {
          if (ms === 2_000) queueMicrotask(() => pausing.abort(reason));
          return () => {};
        },
      },
    });
    expect(await thrownBy(waiting.client.cex.exchanges({ signal: pausing.signal }))).toBe(reason);
    expect(waiting.asked).toHaveLength(1);
  });

  test("without leaving anything behind", async () => {
    let waiting = 0;
    const { client } = scripted([ok], {
      surroundings: {
        after: () => {
          waiting++;
          return () => waiting--;
        },
      },
    });
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    await client.cex.exchanges({ signal });
    expect({ waiting, listeners }).toEqual({ waiting: 0, listeners: 0 });
  });
});

describe("an error says", () => {
  test("everything that the answer said", async () => {
    const headers = {
      "x-request-id": "req-9",
      "slipway-error-type": "too_many_requests",
      "retry-after": "3",
    };
    const body = { errors: [{ message: "Too many requests." }], code: 429 };
    const { client } = scripted([{ status: 429, headers, body }], { retries: 0 });
    const error = await thrownBy(client.cex.exchanges());
    expect(error).toBeInstanceOf(SlipwayError);
    expect({ ...(error as SlipwayError), message: (error as SlipwayError).message }).toEqual({
      name: "SlipwayError",
      message: "429: Too many requests.",
      status: 429,
      messages: ["Too many requests."],
      type: "too_many_requests",
      requestId: "req-9",
      retryAfter: 3,
    });
  });

  test("when something else than a Slipway answered", async () => {
    const client = new Slipway({
      baseUrl: "http://somewhere",
      fetch: async () => new Response("<html>Welcome</html>"),
    });
    expect(await thrownBy(client.cex.exchanges())).toMatchObject({
      status: 200,
      messages: ["The answer is not JSON. Is this the address of a Slipway?"],
    });
  });
});

test("health is told also when the service is not ready, and after one try", async () => {
  const { client, asked } = scripted([{ status: 503, body: { status: "unavailable" } }]);
  expect(await client.health()).toEqual({ status: "unavailable" });
  expect(asked).toHaveLength(1);
});
