import { createHmac, timingSafeEqual } from "node:crypto";
import type { HookMessage } from "../../http/hooks.ts";
import { CallerError } from "../../lib/errors.ts";
import { isObject } from "../../lib/is-object.ts";

/** Something that happened to an inquiry. */
export type PersonaEvent = {
  /** Such as `inquiry.approved`. */
  name: string;
  /** What Persona calls the inquiry. */
  inquiry: string;
  /** When it happened, in Unix milliseconds. */
  at: number;
};

const toleranceMs = 5 * 60_000;
/** While a secret is being exchanged there are two signatures. */
const signatureForm = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;
const signaturesMost = 4;

/** Refuses what Persona has not signed just now. */
export function requireGenuine({ headers, body }: HookMessage, secret: string, now: number): void {
  const header = headers["persona-signature"];
  const candidates = typeof header === "string" ? header.split(" ", signaturesMost) : [];
  const isGenuine = candidates.some((candidate) => {
    const [, seconds, signature] = signatureForm.exec(candidate) ?? [];
    if (seconds === undefined || signature === undefined) return false;
    const isRecent = Math.abs(now - Number(seconds) * 1_000) <= toleranceMs;
    const expected = createHmac("sha256", secret).update(`${seconds}.${body}`).digest();
    return timingSafeEqual(expected, Buffer.from(signature, "hex")) && isRecent;
  });
  if (!isGenuine) throw new CallerError("invalid_key", "The signature is not valid.");
}

/** Reads an event; nothing when it is not about an inquiry. */
export function readEvent(body: string): PersonaEvent | undefined {
  const event = partOf(partOf(parsed(body), "data"), "attributes");
  const subject = partOf(partOf(event, "payload"), "data");
  const at = typeof event["created-at"] === "string" ? Date.parse(event["created-at"]) : Number.NaN;
  if (typeof event.name !== "string" || Number.isNaN(at)) throw unreadable();
  if (!event.name.startsWith("inquiry.")) return undefined;
  if (typeof subject.id !== "string") throw unreadable();
  return { name: event.name, inquiry: subject.id, at };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw unreadable();
  }
}

/** A part that is not there has no parts either. */
function partOf(whole: unknown, name: string): Record<string, unknown> {
  const part = isObject(whole) ? whole[name] : undefined;
  return isObject(part) ? part : {};
}

function unreadable(): CallerError {
  return new CallerError("bad_request", "The body is no event.");
}
