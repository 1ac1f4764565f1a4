import type { Database, Transaction } from "../../database/database.ts";
import type { DueRunner } from "../../database/due.ts";
import type { Hook } from "../../http/hooks.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf, OperatorError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { ourselves } from "../audit.ts";
import {
  claimInquiry,
  findInquiredUser,
  keepReference,
  openInquiry,
  postponeInquiry,
  type WantedInquiry,
} from "../store/inquiries.ts";
import { lockUser, type Verification } from "../store/users.ts";
import { findDecidedAt } from "../store/verifications.ts";
import type { Told } from "../told.ts";
import { decideVerification } from "../verification.ts";
import {
  createInquiry,
  createLink,
  PersonaRefusal,
  type PersonaSettings,
} from "./persona-client.ts";
import { type PersonaEvent, readEvent, requireGenuine } from "./persona-message.ts";

export type PersonaContext = {
  db: Database;
  /** The world's: Persona's messages carry its time. */
  clock: Clock;
  told: Told;
  settings: PersonaSettings;
  log: Log;
  fetch?: typeof fetch;
};

/** For how long an inquiry is left to whoever asks Persona about it. */
const leaseMs = 60_000;
const retryMs = 60_000;

/** What an event means for the account. */
const outcomes: Readonly<Record<string, { status: Verification; reason: string }>> = {
  "inquiry.approved": { status: "approved", reason: "Persona approved the inquiry" },
  "inquiry.declined": { status: "rejected", reason: "Persona declined the inquiry" },
  "inquiry.failed": { status: "rejected", reason: "The inquiry failed at Persona" },
  "inquiry.expired": { status: "expired", reason: "The inquiry expired at Persona" },
  "inquiry.marked-for-review": {
    status: "review",
    reason: "Persona marked the inquiry for review",
  },
};
/** What leaves a question open changes nothing where it has been answered. */
const openOutcomes: ReadonlySet<Verification> = new Set(["expired", "review"]);
const waiting: ReadonlySet<Verification> = new Set(["pending", "review"]);

/** What is configured for Persona; nothing when nothing is. Half of it serves nobody. */
export function personaSettingsOf(written: {
  personaUrl: string;
  personaKey?: string;
  personaTemplate?: string;
  personaWebhookSecret?: string;
}): PersonaSettings | undefined {
  const { personaUrl: url, personaKey, personaTemplate, personaWebhookSecret } = written;
  if (personaKey && personaTemplate && personaWebhookSecret) {
    return { url, key: personaKey, template: personaTemplate, webhookSecret: personaWebhookSecret };
  }
  const parts = { personaKey, personaTemplate, personaWebhookSecret };
  const missing = Object.entries(parts).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length === Object.keys(parts).length) return undefined;
  throw new OperatorError(
    `Verification by Persona needs ${missing.map((name) => `ramp.rails.verification.${name}`).join(" and ")} too.`,
  );
}

/** Asks Persona for an inquiry about each account that wants to be verified, and for links to it. */
export function personaRunner(context: PersonaContext): DueRunner {
  return {
    name: "verification inquiries",
    async run(signal) {
      let handled = 0;
      while (!signal?.aborted && (await handleNext(context, signal))) handled++;
      return handled;
    },
  };
}

/** Returns whether there was an inquiry that is due. */
async function handleNext(
  context: PersonaContext,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { db, clock, log } = context;
  const now = clock.now();
  const inquiry = await claimInquiry(db, new Date(now), new Date(now + leaseMs));
  if (!inquiry) return false;
  try {
    await ask({ ...context, signal }, inquiry);
  } catch (error) {
    // An error that Persona answered with is all that it has to say to this attempt for a day.
    const isRefused = error instanceof PersonaRefusal && inquiry.reference === null;
    await postponeInquiry(db, inquiry, { until: new Date(clock.now() + retryMs), isRefused });
    log.warn(
      { userId: inquiry.userId, reason: messageOf(error) },
      "Persona took no inquiry about an account; it is asked again in a minute. " +
        "If this goes on, look at ramp.rails.verification",
    );
  }
  return true;
}

/** What Persona calls the inquiry is kept before anything else: whoever dies after that goes on with the same one. */
async function ask(
  context: PersonaContext & { signal: AbortSignal | undefined },
  inquiry: WantedInquiry,
): Promise<void> {
  const { db, clock } = context;
  let { reference } = inquiry;
  if (reference === null) {
    reference = await createInquiry(context, inquiry);
    if (!(await keepReference(db, inquiry, reference, new Date(clock.now())))) return;
  }
  const link = await createLink(context, reference);
  await openInquiry(db, inquiry, link, new Date(clock.now()));
}

/** Takes what Persona tells about inquiries. Each message may come late, twice, or before an earlier one. */
export function personaHook(context: PersonaContext): Hook {
  const { db, clock, settings } = context;
  return {
    path: "/hooks/persona",
    async receive(message) {
      requireGenuine(message, settings.webhookSecret, clock.now());
      const event = readEvent(message.body);
      if (event && Object.hasOwn(outcomes, event.name)) {
        await db.transact((tx) => takeEvent(tx, context, event));
      }
    },
  };
}

async function takeEvent(
  tx: Transaction,
  context: PersonaContext,
  { name, inquiry, at }: PersonaEvent,
): Promise<void> {
  const { clock, log } = context;
  const outcome = outcomes[name];
  const userId = await findInquiredUser(tx, inquiry);
  const account = userId === undefined ? undefined : await lockUser(tx, userId);
  // Whoever holds the account may have begun another inquiry while we waited for it.
  if (!outcome || !account || (await findInquiredUser(tx, inquiry)) !== account.id) {
    log.warn({ inquiry, event: name }, "Persona told of an inquiry that counts for no account");
    return;
  }
  const { status, reason } = outcome;
  const decidedAt = await findDecidedAt(tx, account.id);
  const isOutdated = decidedAt !== undefined && at <= decidedAt.getTime();
  const isIdle = openOutcomes.has(status) && !waiting.has(account.verification);
  if (isOutdated || isIdle || account.verification === status) return;
  await decideVerification(tx, context, {
    userId: account.id,
    status,
    reason: `${reason} ${inquiry}.`,
    decidedBy: "persona",
    actor: ourselves,
    at: new Date(clock.now()),
    decidedAt: new Date(at),
  });
}
