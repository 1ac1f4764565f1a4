import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { manualClock } from "../../../test/manual-clock.ts";
import { useReceiver } from "../../../test/webhook-receiver.ts";
import { clockDifference, clockFindings } from "./clock.ts";

const receiver = useReceiver();
let clock: ReturnType<typeof manualClock>;
beforeEach(() => {
  clock = manualClock();
});

/** The server's clock is so far ahead of ours. */
function serverAhead(ms: number, headers: Record<string, string> = {}): void {
  const date = new Date(clock.now() + ms).toUTCString();
  receiver.answer = (_, response) => void response.writeHead(405, { date, ...headers }).end();
}

const look = () => clockFindings([`${receiver.url}/v3/key`, `${receiver.url}/other`], { clock });

describe("our clock", () => {
  test("is well when a server that we use says about the same", async () => {
    serverAhead(2_000);
    expect(await look()).toEqual([{ state: "ok", what: "Our clock agrees with what others say" }]);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.url).toBe("/");
  });

  test.each([
    [5_000, "warning", "Our clock is 5 s behind others."],
    [-20_000, "warning", "Our clock is 19 s ahead of others."],
    [90_000, "broken", "Our clock is 90 s behind others."],
  ])("beside one that is %i ms ahead is %s", async (ms, state, what) => {
    serverAhead(ms);
    expect(await look()).toMatchObject([{ state, what }]);
  });

  test("is not judged by answers that were kept on the way, or that say no time", async () => {
    serverAhead(90_000, { age: "90" });
    expect(await look()).toMatchObject([{ state: "ok", what: expect.stringContaining("Not") }]);
    expect(await clockFindings([], { clock })).toMatchObject([{ state: "ok" }]);
  });
});

test("the difference is never more than it is, and never less than what can be told", () => {
  const time = fc.integer({ min: 0, max: 1e12 });
  const span = fc.integer({ min: 0, max: 1e5 });
  fc.assert(
    fc.property(time, span, span, fc.integer({ min: -1e6, max: 1e6 }), (from, until, at, ahead) => {
      const stepMs = 1_000;
      const moment = from + Math.min(at, until);
      // What a clock says at that moment that is behind ours by `ahead`, and tells whole seconds.
      const told = Math.floor((moment - ahead) / stepMs) * stepMs;
      const found = clockDifference({ from, to: from + until }, told, stepMs);
      expect(Math.abs(found)).toBeLessThanOrEqual(Math.abs(ahead));
      expect(Math.abs(found)).toBeGreaterThanOrEqual(Math.abs(ahead) - until - stepMs);
      if (found !== 0) expect(Math.sign(found)).toBe(Math.sign(ahead));
    }),
  );
});
