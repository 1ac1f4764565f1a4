import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CallerError } from "../../lib/errors.ts";
import { readEvent, requireGenuine } from "./persona-message.ts";

const secret = "wbhsec_0123456789abcdef";
const now = Date.UTC(2026, 3, 15, 16);
const seconds = now / 1_000;
const body = '{"grüße":1}';

const signed = (at: number, by = secret, text = body) =>
  `t=${at},v1=${createHmac("sha256", by).update(`${at}.${text}`).digest("hex")}`;
const check = (signature: string | undefined) =>
  requireGenuine({ headers: { "persona-signature": signature }, body }, secret, now);

describe("a signature", () => {
  test.each([
    ["of now", signed(seconds)],
    ["of five minutes ago", signed(seconds - 300)],
    ["of a clock that is ahead", signed(seconds + 300)],
    ["beside one with the former secret", `${signed(seconds, "former")} ${signed(seconds)}`],
    ["before one with the next secret", `${signed(seconds)} ${signed(seconds, "next")}`],
  ])("%s is good", (_, signature) => {
    expect(() => check(signature)).not.toThrow();
  });

  test.each([
    ["that is not there", undefined],
    ["that is empty", ""],
    ["of more than five minutes ago", signed(seconds - 301)],
    ["of the far future", signed(seconds + 301)],
    ["with another secret", signed(seconds, "other")],
    ["of another body", signed(seconds, secret, "{}")],
    ["with another time", signed(seconds - 1).replace(`t=${seconds - 1}`, `t=${seconds}`)],
    ["that is cut off", signed(seconds).slice(0, -2)],
    ["without a time", signed(seconds).replace(/^.*,/, "")],
    ["after a crowd of others", `${"t=1,v1=00 ".repeat(9)}${signed(seconds)}`],
  ])("%s is not", (_, signature) => {
    expect(() => check(signature)).toThrow("The signature is not valid.");
  });
});

describe("an event", () => {
  const event = (attributes: unknown) => JSON.stringify({ data: { type: "event", attributes } });
  const approved = {
    name: "inquiry.approved",
    "created-at": "2026-04-15T16:00:00.125Z",
    payload: { data: { type: "inquiry", id: "inq_1", attributes: { status: "approved" } } },
  };

  test("is read: what happened, to which inquiry, when", () => {
    const at = Date.UTC(2026, 3, 15, 16, 0, 0, 125);
    expect(readEvent(event(approved))).toEqual({ name: "inquiry.approved", inquiry: "inq_1", at });
  });

  test("that is about something else is nothing", () => {
    expect(readEvent(event({ ...approved, name: "verification.passed" }))).toBeUndefined();
  });

  test("is one, or the sender's fault, whatever comes", () => {
    const bodies = fc.oneof(
      fc.string(),
      fc.json(),
      fc.jsonValue().map((payload) => event({ ...approved, payload })),
      fc.jsonValue().map((time) => event({ ...approved, "created-at": time })),
      fc.jsonValue().map(event),
    );
    fc.assert(
      fc.property(bodies, (text) => {
        let failure: unknown = new CallerError("bad_request", "none");
        try {
          const read = readEvent(text);
          expect(read === undefined || Number.isFinite(read.at)).toBe(true);
        } catch (error) {
          failure = error;
        }
        expect(failure).toBeInstanceOf(CallerError);
      }),
    );
  });
});
