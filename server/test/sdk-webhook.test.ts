import { verifyWebhook } from "@slipway/sdk";
import * as fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";

const now = 1_794_700_800_000;
const secretOf = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString("base64")}`;
const secret = secretOf(new Uint8Array(32).fill(7));
const otherSecret = secretOf(new Uint8Array(32).fill(8));

/** A delivery as the library of Standard Webhooks signs it. */
function delivery(payload: string, { id = "evt-1", at = now, by = [secret] } = {}) {
  const signatures = by.map((one) => new Webhook(one).sign(id, new Date(at), payload));
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at / 1_000)),
    "webhook-signature": signatures.join(" "),
  };
  return { payload, headers, secret, now };
}

const verdict = (received: Parameters<typeof verifyWebhook>[0]) =>
  verifyWebhook(received).catch((error: unknown) => String(error));

describe("a webhook", () => {
  test("that the library signed is believed, whatever it says and whatever the secret is", async () => {
    const secretBytes = fc.uint8Array({ minLength: 1, maxLength: 64 });
    const id = fc.stringMatching(/^[\x21-\x7e]{1,40}$/);
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), id, secretBytes, async (value, id, bytes) => {
        const payload = JSON.stringify(value);
        const own = {
          ...delivery(payload, { id, by: [secretOf(bytes)] }),
          secret: secretOf(bytes),
        };
        expect(await verifyWebhook(own)).toEqual(JSON.parse(payload));
        const asBytes = { ...own, payload: Buffer.from(payload) };
        expect(await verifyWebhook(asBytes)).toEqual(JSON.parse(payload));
      }),
    );
  });

  test("in which any one character was changed is not", async () => {
    const payload = JSON.stringify({ id: "evt-1", type: "ramp.transaction.completed" });
    const { headers, ...rest } = delivery(payload);
    const flip = (text: string, at: number) =>
      text.slice(0, at) + (text[at] === "x" ? "y" : "x") + text.slice(at + 1);
    for (let at = 0; at < payload.length; at++) {
      expect(await verdict({ ...rest, headers, payload: flip(payload, at) })).toContain("None of");
    }
    const signature = headers["webhook-signature"];
    // The last digit of the base64 carries two bits that mean nothing.
    for (let at = 0; at < signature.length - 2; at++) {
      const changed = { ...headers, "webhook-signature": flip(signature, at) };
      expect(await verdict({ ...rest, headers: changed })).toContain("None of");
    }
    const forAnother = { ...headers, "webhook-id": "evt-2" };
    expect(await verdict({ ...rest, headers: forAnother })).toContain("None of");
    const atAnotherTime = { ...headers, "webhook-timestamp": String(now / 1_000 - 1) };
    expect(await verdict({ ...rest, headers: atAnotherTime })).toContain("None of");
  });

  test("is believed while a secret is replaced: by either side", async () => {
    const both = delivery("{}", { by: [otherSecret, secret] });
    expect(await verifyWebhook(both)).toEqual({});
    const old = delivery("{}", { by: [otherSecret] });
    expect(await verdict(old)).toContain("None of");
    expect(await verifyWebhook({ ...old, secret: [secret, otherSecret] })).toEqual({});
  });

  test("may have signatures of versions that nobody knows yet, and such that make no sense", async () => {
    const { headers, ...rest } = delivery("{}");
    const signature = `v2,AAAA v1,### v1a,AAAA v1, ${headers["webhook-signature"]}`;
    const strange = { ...headers, "webhook-signature": signature };
    expect(await verifyWebhook({ ...rest, headers: strange })).toEqual({});
    const unknown = { ...headers, "webhook-signature": signature.replaceAll("v1,", "v2,") };
    expect(await verdict({ ...rest, headers: unknown })).toContain("None of");
  });

  test("may be as old as the tolerance, and no older", async () => {
    const aged = (seconds: number, toleranceSeconds?: number) =>
      verdict({
        ...delivery("{}", { at: now - seconds * 1_000 }),
        ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
      });
    expect(await aged(300)).toEqual({});
    expect(await aged(-300)).toEqual({});
    expect(await aged(301)).toBe("WebhookError: The webhook is too old: it was sent 301 s ago.");
    expect(await aged(-301)).toBe("WebhookError: The webhook is from the future: 301 s ahead.");
    expect(await aged(11, 10)).toContain("too old");
    const { now: _, ...present } = delivery("{}", { at: Date.now() });
    expect(await verifyWebhook(present)).toEqual({});
  });

  test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("needs %s", async (name) => {
    const { headers, ...rest } = delivery("{}");
    const fewer = Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));
    expect(await verdict({ ...rest, headers: fewer })).toBe(
      `WebhookError: The webhook has no header ${name}.`,
    );
  });

  test("has its headers in any form that servers give them", async () => {
    const { headers, ...rest } = delivery("{}");
    expect(await verifyWebhook({ ...rest, headers: new Headers(headers) })).toEqual({});
    const capital = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]);
    expect(await verifyWebhook({ ...rest, headers: Object.fromEntries(capital) })).toEqual({});
  });

  test("says what is wrong with the secret, or with the time", async () => {
    const { headers, ...rest } = delivery("{}");
    for (const wrong of ["whsec_", "whsec_#", ""]) {
      expect(await verdict({ ...rest, headers, secret: wrong })).toBe(
        "WebhookError: The secret must be whsec_ and base64.",
      );
    }
    const timeless = { ...headers, "webhook-timestamp": "1e9" };
    expect(await verdict({ ...rest, headers: timeless })).toBe(
      "WebhookError: The webhook's timestamp is not a number of seconds.",
    );
  });
});
