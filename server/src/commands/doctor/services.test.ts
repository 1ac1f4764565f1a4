import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { manualClock } from "../../../test/manual-clock.ts";
import { silentLog } from "../../../test/silent-log.ts";
import { answerWith, useReceiver } from "../../../test/webhook-receiver.ts";
import { busFindings, screeningFindings, verificationFindings } from "./services.ts";

const server = useReceiver();
const clock = manualClock();
const day = 24 * 3_600_000;

/** A Watchman whose lists are so old, and which finds these. */
function watchman(listsAgeMs: number, entities: unknown[] = []): RequestListener {
  const info = { lists: { us_ofac: 9 }, endedAt: new Date(clock.now() - listsAgeMs).toISOString() };
  return (request, response) =>
    void response.end(JSON.stringify(request.url === "/v2/listinfo" ? info : { entities }));
}

describe("screening", () => {
  const look = () => screeningFindings(server.url, { minMatch: 0.8 }, clock);

  test("is well with fresh lists", async () => {
    server.answer = watchman(0);
    expect(await look()).toMatchObject([{ state: "ok" }]);
  });

  test("with old lists, or without an answer, is broken", async () => {
    server.answer = watchman(4 * day);
    expect(await look()).toMatchObject([
      { state: "broken", what: expect.stringContaining("more than 3 days old") },
    ]);
    server.answer = answerWith(500);
    expect(await look()).toMatchObject([
      { state: "broken", fix: expect.stringContaining("ramp.rails.screening.watchmanUrl") },
    ]);
  });

  test("that finds everybody is worth a warning", async () => {
    server.answer = watchman(0, [{ name: "Doctor", match: 0.9 }]);
    expect(await look()).toMatchObject([
      { state: "warning", fix: "Raise ramp.rails.screening.minMatch." },
    ]);
  });
});

describe("verification", () => {
  const written = {
    ...{ personaKey: "persona_live_hunter2", personaTemplate: "itmpl_1" },
    personaWebhookSecret: "x".repeat(16),
  };
  const look = (more: object = written) =>
    verificationFindings({ personaUrl: `${server.url}/api/v1`, ...more });

  test("is nobody's business when nothing is configured", async () => {
    expect(await look({})).toEqual([]);
  });

  test.each([
    [200, "ok", /takes our key$/],
    [401, "broken", /does not take our key/],
    [403, "warning", /does not let our key see inquiries/],
    [500, "broken", /answers 500/],
  ])("whose answer is %i is %s", async (status, state, what) => {
    server.answer = answerWith(status);
    const findings = await look();
    expect(findings).toMatchObject([{ state, what: expect.stringMatching(what) }]);
    expect(JSON.stringify(findings)).not.toContain("hunter2");
    const asked = server.received.at(-1);
    expect(asked?.headers.authorization).toBe("Bearer persona_live_hunter2");
    expect(asked?.url).toBe("/api/v1/inquiries?page%5Bsize%5D=1");
  });

  test("that is half configured, or away, is broken", async () => {
    expect(await look({ personaKey: "hush" })).toMatchObject([
      { state: "broken", what: expect.stringContaining("personaTemplate") },
    ]);
    expect(await look({ ...written, personaUrl: "http://127.0.0.1:1" })).toMatchObject([
      { state: "broken", fix: expect.stringContaining("SLIPWAY_PERSONA_KEY") },
    ]);
  });
});

test("a bus that nobody answers on is broken", async () => {
  expect(await busFindings("nats://127.0.0.1:1", silentLog)).toMatchObject([
    { state: "broken", fix: expect.stringContaining("NATS_URL") },
  ]);
});
