import { Webhook } from "standardwebhooks";
import type { Random } from "../../lib/random.ts";

const secretBytes = 32;

/** A secret to sign with, in the form that libraries for Standard Webhooks take. */
export function newSecret(random: Random): string {
  return `whsec_${random.bytes(secretBytes).toString("base64")}`;
}

/** Where a secret is sealed for: it opens nowhere else. */
export function secretPlace(webhookId: string, userId: string): string {
  return `webhook_endpoints|secret|${webhookId}|${userId}`;
}

/** The headers that prove who sent an event and when: a signature for each secret. `at` in Unix milliseconds. */
export function signedHeaders(
  eventId: string,
  at: number,
  payload: string,
  secrets: readonly string[],
): Record<string, string> {
  const time = new Date(at);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(eventId, time, payload));
  return {
    "webhook-id": eventId,
    "webhook-timestamp": String(Math.floor(at / 1_000)),
    "webhook-signature": signatures.join(" "),
  };
}
