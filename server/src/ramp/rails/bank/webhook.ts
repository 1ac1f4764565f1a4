import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Webhook } from "standardwebhooks";
import type { Hook } from "../../../http/hooks.ts";
import type { Clock } from "../../../lib/clock.ts";
import { CallerError } from "../../../lib/errors.ts";
import { isKnownWebhook, lockIncoming } from "../store/incoming-files.ts";
import type { BankContext } from "./bank-profile.ts";
import { keep } from "./take-files.ts";
import { messageReader } from "./webhook-messages.ts";

type HookContext = BankContext & {
  /** The world's, which the bank goes by; the ramp's may have been moved. */
  realClock?: Clock;
};

/** How old a message may be, and how far ahead of us the bank's clock. */
const toleranceMs = 5 * 60_000;
const idForm = /^[A-Za-z0-9._-]{1,200}$/;

/**
 * Takes in what the bank tells by webhook, signed as Standard Webhooks are. A message is kept like a file of the bank's;
 * one that comes again changes nothing.
 */
export function bankHook(context: HookContext, secret: string): Hook {
  const { db, log, clock, realClock = clock } = context;
  const webhook = new Webhook(secret);
  const read = messageReader(context);
  return {
    path: "/hooks/bank",
    async receive({ headers, body }) {
      const id = genuineId(webhook, realClock.now(), headers, body);
      const reading = read(body);
      const name = `${id}.json`;
      const taken = await db.transact(async (tx) => {
        await lockIncoming(tx);
        if (await isKnownWebhook(tx, name)) return undefined;
        return keep(tx, context, { name, bytes: Buffer.from(body) }, reading);
      });
      if (taken?.problem) {
        log.error(
          { webhook: id, problem: taken.problem },
          "a webhook of the bank was taken in, but something in it has to be looked at by a person",
        );
      }
    },
  };
}

/** The id of a message that was signed with our secret a short while ago. */
function genuineId(
  webhook: Webhook,
  now: number,
  headers: IncomingHttpHeaders,
  body: string,
): string {
  const id = String(headers["webhook-id"] ?? "");
  const seconds = String(headers["webhook-timestamp"] ?? "");
  const signatures = String(headers["webhook-signature"] ?? "");
  if (!idForm.test(id) || !/^\d{1,12}$/.test(seconds) || signatures === "") {
    throw new CallerError(
      "invalid_key",
      "A message needs the headers webhook-id, webhook-timestamp and webhook-signature.",
    );
  }
  const signedAt = new Date(Number(seconds) * 1_000);
  const expected = webhook.sign(id, signedAt, body);
  if (!signatures.split(" ").some((signature) => isSame(signature, expected)))
    throw new CallerError("invalid_key", "The signature of the message is not valid.");
  if (Math.abs(now - signedAt.getTime()) > toleranceMs) {
    throw new CallerError(
      "invalid_key",
      "The message was signed more than five minutes ago, or ahead of time: sign it again.",
    );
  }
  return id;
}

function isSame(signature: string, expected: string): boolean {
  const [given, wanted] = [Buffer.from(signature), Buffer.from(expected)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
