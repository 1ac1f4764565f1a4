import type { Queryable, Transaction } from "../database/database.ts";
import { CallerError } from "../lib/errors.ts";
import { type Actor, recordAudit } from "./audit.ts";
import { endInquiry, wantInquiry, wantNewLink } from "./store/inquiries.ts";
import {
  type AccountKind,
  lockUser,
  setKind,
  setVerification,
  type User,
  type Verification,
} from "./store/users.ts";
import { findVerification, insertDecision } from "./store/verifications.ts";
import type { Told } from "./told.ts";

/** How an account stands, as it is shown to its owner. */
export type AccountVerification = {
  userId: string;
  status: Verification;
  reason: string | null;
  /** Where the owner shows papers, while that is asked for. */
  url: string | null;
};

export type VerificationDecision = {
  userId: string;
  status: Verification;
  reason: string;
  /** In words: a key's id, `command line`, `sandbox`. */
  decidedBy: string;
  actor: Actor;
  at: Date;
  /** When it was decided, where that is earlier than it is written down. */
  decidedAt?: Date;
  /** What the account turned out to be. */
  kind?: AccountKind;
};

/** What decides about accounts, beside operators: something that may know at once, a service that is asked, or nobody. */
export type Verifier =
  | {
      kind: "at_once";
      decide(
        account: Pick<User, "id" | "name" | "email">,
      ): { status: "approved" | "rejected" | "review"; reason: string } | undefined;
    }
  | { kind: "outside" }
  | { kind: "nobody" };

/** Refuses accounts that have not been verified. */
export async function requireVerified(db: Queryable, userId: string): Promise<void> {
  const verification = await findVerification(db, userId);
  if (verification?.status !== "approved") {
    throw new CallerError("forbidden", "Account is not verified. Please contact support.");
  }
}

/** Writes down what was decided about an account, why and by whom, and tells its owner. */
export async function decideVerification(
  tx: Transaction,
  { told }: { told: Told },
  decision: VerificationDecision,
): Promise<AccountVerification> {
  const { userId, status, reason, decidedBy, actor, at, decidedAt = at, kind } = decision;
  if (!(await setVerification(tx, userId, status, at))) throw unknownAccount(userId);
  if (kind) await setKind(tx, userId, kind);
  await insertDecision(tx, { userId, status, reason, decidedBy, at: decidedAt });
  // What was asked of the owner is over: whoever wants more asks anew.
  await endInquiry(tx, userId, at);
  const verification = { userId, status, reason, url: null };
  await told(tx, {
    userId,
    type: "account.verification.updated",
    object: verification,
    at: at.getTime(),
  });
  await recordAudit(tx, {
    ...actor,
    action: `verification.${status}`,
    target: userId,
    detail: { reason, decidedBy, ...(kind && { kind }) },
    at,
  });
  return verification;
}

const mayStart: ReadonlySet<Verification> = new Set(["none", "rejected", "expired"]);

/** Asks for an account to be verified. The verifier may have an answer at once, or later. */
export async function startVerification(
  tx: Transaction,
  context: { told: Told; verifier: Verifier },
  { userId, actor, at }: Pick<VerificationDecision, "userId" | "actor" | "at">,
): Promise<AccountVerification> {
  const account = await lockUser(tx, userId);
  if (!account) throw unknownAccount(userId);
  const { verifier } = context;
  if (verifier.kind === "outside" && account.verification === "pending") {
    const renewed = await renewLink(tx, userId, at);
    if (renewed) return renewed;
  }
  if (!mayStart.has(account.verification)) {
    const state =
      account.verification === "approved" ? "verified already" : "being verified already";
    throw new CallerError("conflict", `Account ${userId} is ${state}.`);
  }
  const started = await decideVerification(tx, context, {
    userId,
    status: "pending",
    reason: "Asked for by the account.",
    decidedBy: userId,
    actor,
    at,
  });
  if (verifier.kind === "outside") await wantInquiry(tx, userId, at);
  const decided = verifier.kind === "at_once" ? verifier.decide(account) : undefined;
  return decided
    ? decideVerification(tx, context, { userId, ...decided, decidedBy: "verifier", actor, at })
    : started;
}

/** The page on which papers are shown opens once: whoever asks again while it is open gets another link to it. */
async function renewLink(
  tx: Transaction,
  userId: string,
  at: Date,
): Promise<AccountVerification | undefined> {
  if (!(await wantNewLink(tx, userId, at))) return undefined;
  const verification = await findVerification(tx, userId);
  return verification && { userId, ...verification };
}

function unknownAccount(userId: string): CallerError {
  return new CallerError("not_found", `Account ${userId} was not found.`);
}
