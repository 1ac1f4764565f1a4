import type { Database } from "../../database/database.ts";
import type { DueRunner } from "../../database/due.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { type Outcome, type Outgoing, openOutgoing } from "../../lib/outgoing/outgoing.ts";
import type { Random } from "../../lib/random.ts";
import type { Sealer } from "../../lib/seal.ts";
import type { RampSettings } from "../settings.ts";
import {
  type Attempt,
  putOffWaiting,
  recordFailure,
  recordSuccess,
  takeAttempts,
} from "../store/deliveries.ts";
import { disableWebhook } from "../store/webhooks.ts";
import { failingMostMs, orderWaitMs, pauseAfter } from "./retries.ts";
import { webhookRules } from "./rules.ts";
import { secretPlace, signedHeaders } from "./secret.ts";

type DeliveryContext = {
  db: Database;
  /** The ramp's, which decides what is due. */
  clock: Clock;
  /** The world's, which receivers compare with theirs. */
  realClock: Clock;
  random: Random;
  sealer: Sealer;
  mode: "sandbox" | "live";
  settings?: Pick<RampSettings, "webhookPorts">;
  log: Log;
};

const timeoutMs = 15_000;
const answerBytesMost = 65_536;
/** After this nobody comes back from an attempt any more. */
const lostAfterMs = 60_000;
const underWayMost = 128;
const underWayPerEndpointMost = 4;
const lookAgainMs = 500;

/**
 * Sends what is due to the webhooks of customers: taken, committed, sent, recorded. Whatever happens in between, it is
 * sent again rather than not at all. A run ends when nothing is due and nothing is under way.
 */
export function webhookRunner(context: DeliveryContext): DueRunner {
  const { db, clock, realClock, log } = context;
  const outgoing = openOutgoing({ rules: webhookRules(context) });
  const underWay = new Map<string, { endpointId: string; over: Promise<void> }>();

  function take(): Promise<Attempt[]> {
    const most = underWayMost - underWay.size;
    if (most === 0) return Promise.resolve([]);
    const now = clock.now();
    return takeAttempts(db, {
      now: new Date(now),
      lostAt: new Date(now + lostAfterMs),
      waitsSince: new Date(now - orderWaitMs),
      busyDeliveries: [...underWay.keys()],
      busyEndpoints: busyEndpoints([...underWay.values()]),
      most,
    });
  }

  function start(attempt: Attempt, signal: AbortSignal | undefined): void {
    const { deliveryId, endpointId } = attempt;
    const over = makeAttempt(context, outgoing, attempt, signal)
      .catch((error) => {
        if (signal?.aborted) return;
        log.warn({ deliveryId, reason: messageOf(error) }, "a webhook will be sent again");
      })
      .finally(() => underWay.delete(deliveryId));
    underWay.set(deliveryId, { endpointId, over });
  }

  /** Until one is over; but what becomes due meanwhile does not wait for a slow receiver. */
  async function pause(): Promise<void> {
    const stop = new AbortController();
    const all = [...underWay.values()].map(({ over }) => over);
    await Promise.race([...all, realClock.sleep(lookAgainMs, stop.signal)]);
    stop.abort();
  }

  /** Starts everything that is due and that there is room for. */
  async function startDue(signal: AbortSignal | undefined): Promise<number> {
    const attempts = signal?.aborted ? [] : await take();
    for (const attempt of attempts) start(attempt, signal);
    return attempts.length;
  }

  return {
    name: "webhooks",
    async run(signal) {
      const now = clock.now();
      const lostAt = new Date(now + lostAfterMs);
      await putOffWaiting(db, { now: new Date(now), lostAt, waitMs: orderWaitMs });
      for (let handled = 0; ; ) {
        const started = await startDue(signal);
        handled += started;
        if (started > 0) continue;
        if (underWay.size === 0) return handled;
        await pause();
      }
    },
  };
}

/** Makes one attempt and records what came of it. */
async function makeAttempt(
  context: DeliveryContext,
  outgoing: Outgoing,
  attempt: Attempt,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { url, payload: body, eventId } = attempt;
  const secrets = secretsOf(context.sealer, attempt);
  const headers = {
    ...signedHeaders(eventId, context.realClock.now(), body, secrets),
    "content-type": "application/json",
    "user-agent": "Slipway-Webhooks",
  };
  const outcome = await outgoing.post({ url, headers, body, timeoutMs, answerBytesMost }, signal);
  await record(context, attempt, outcome);
}

async function record(
  { db, clock, random, log }: DeliveryContext,
  attempt: Attempt,
  outcome: Outcome,
): Promise<void> {
  const { deliveryId, number, endpointId, failingSince } = attempt;
  const at = clock.now();
  const now = new Date(at);
  const status = "status" in outcome ? outcome.status : null;
  if (status !== null && status >= 200 && status < 300) {
    const lostAt = new Date(at + lostAfterMs);
    await recordSuccess(db, { deliveryId, number, status, now, lostAt });
    return;
  }
  const pauseMs = pauseAfter(number, random);
  const retryAt = pauseMs === undefined ? null : new Date(at + pauseMs);
  const error = "failure" in outcome ? outcome.failure : `the answer was ${outcome.status}`;
  await recordFailure(db, { deliveryId, number, status, error, retryAt, now });
  const disabling = reasonToDisable(status, failingSince, at);
  if (!disabling) return;
  const order = { ...disabling, id: endpointId, now };
  if (await db.transact((tx) => disableWebhook(tx, order))) {
    log.warn({ webhook: endpointId, reason: order.reason }, "a webhook was disabled");
  }
}

function reasonToDisable(
  status: number | null,
  failingSince: Date | null,
  at: number,
): { reason: string; failingSince: Date | null } | undefined {
  if (status === 410) {
    return { reason: "The receiver answered 410: it wants no more events.", failingSince: null };
  }
  if (failingSince && at - failingSince.getTime() >= failingMostMs) {
    return { reason: "Nothing got through to the receiver for 5 days.", failingSince };
  }
  return undefined;
}

function secretsOf(sealer: Sealer, attempt: Attempt): string[] {
  const place = secretPlace(attempt.endpointId, attempt.userId);
  return [attempt.secret, attempt.previousSecret]
    .filter((sealed) => sealed !== null)
    .map((sealed) => sealer.open(sealed, place));
}

/** Those to which no more can be sent at the same time. */
function busyEndpoints(underWay: readonly { endpointId: string }[]): string[] {
  const counts = new Map<string, number>();
  for (const { endpointId } of underWay) {
    counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
  }
  return [...counts].flatMap(([id, count]) => (count >= underWayPerEndpointMost ? [id] : []));
}
