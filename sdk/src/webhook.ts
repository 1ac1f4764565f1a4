import type { RampEvent } from "./ramp-shapes.ts";
import { systemSurroundings } from "./surroundings.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Headers as any server has them. */
export type ReceivedHeaders =
  | { get(name: string): string | null }
  | Record<string, string | readonly string[] | undefined>;

/** A delivery, and what it takes to check it. */
export type ReceivedWebhook = {
  /** The body exactly as it came: JSON that was read and written again is another text. */
  payload: string | Uint8Array;
  headers: ReceivedHeaders;
  /** The webhook's `whsec_…`; several while a secret is being replaced. */
  secret: string | readonly string[];
  /** How old, or ahead of time, a delivery may be; 300 when left out. */
  toleranceSeconds?: number;
  /** Unix milliseconds; the present when left out. */
  now?: number;
};

/** A delivery that must not be believed. */
export class WebhookError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WebhookError";
  }
}

const usualToleranceSeconds = 300;

/** Checks that a webhook was sent by the service, as Standard Webhooks defines it, and reads its event. */
export async function verifyWebhook(received: ReceivedWebhook): Promise<RampEvent> {
  const { payload, headers, secret } = received;
  const id = headerIn(headers, "webhook-id");
  const timestamp = headerIn(headers, "webhook-timestamp");
  const signatures = headerIn(headers, "webhook-signature");
  requireRecent(timestamp, received);
  const body = typeof payload === "string" ? bytesOf(payload) : payload;
  const signed = joined(bytesOf(`${id}.${timestamp}.`), body);
  const secrets = typeof secret === "string" ? [secret] : secret;
  const { subtle } = globalThis.crypto;
  for (const key of await Promise.all(secrets.map(keyOf))) {
    for (const signature of signaturesIn(signatures)) {
      // `verify` takes as long for a wrong signature as for a right one.
      const isRight = await subtle.verify("HMAC", key, signature, signed);
      if (isRight) return JSON.parse(new TextDecoder().decode(body)) as RampEvent;
    }
  }
  throw new WebhookError("None of the webhook's signatures was made with this secret.");
}

function headerIn(headers: ReceivedHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : valueIn(headers, name);
  if (value) return value;
  throw new WebhookError(`The webhook has no header ${name}.`);
}

function isHeaders(headers: ReceivedHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === "function";
}

function valueIn(
  headers: Record<string, string | readonly string[] | undefined>,
  name: string,
): string | undefined {
  const found = Object.entries(headers).find(([other]) => other.toLowerCase() === name);
  return typeof found?.[1] === "object" ? found[1].join(" ") : found?.[1];
}

function requireRecent(timestamp: string, { now, toleranceSeconds }: ReceivedWebhook): void {
  if (!/^\d{1,15}$/.test(timestamp)) {
    throw new WebhookError("The webhook's timestamp is not a number of seconds.");
  }
  const age = Math.floor((now ?? systemSurroundings.now()) / 1_000) - Number(timestamp);
  const most = toleranceSeconds ?? usualToleranceSeconds;
  if (age > most) throw new WebhookError(`The webhook is too old: it was sent ${age} s ago.`);
  if (age < -most) throw new WebhookError(`The webhook is from the future: ${-age} s ahead.`);
}

async function keyOf(secret: string) {
  const bytes = bytesInBase64(secret.replace(/^whsec_/, ""));
  if (!bytes?.length) throw new WebhookError("The secret must be whsec_ and base64.");
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return globalThis.crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
}

/** Those of the only version there is. */
function signaturesIn(header: string): Bytes[] {
  return header
    .split(" ")
    .filter((signature) => signature.startsWith("v1,"))
    .map((signature) => bytesInBase64(signature.slice(3)))
    .filter((signature) => signature !== undefined);
}

function bytesInBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function bytesOf(text: string): Bytes {
  return new TextEncoder().encode(text);
}

function joined(first: Uint8Array, second: Uint8Array): Bytes {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
