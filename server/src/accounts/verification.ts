import type { Queryable, Transaction } from "../database/database.ts";
import { CallerError } from "../lib/errors.ts";
import { type Actor, recordAudit } from "./audit.ts";
import { lockUser, setVerification, type User, type Verification } from "./store/users.ts";
import { findVerification, insertDecision } from "./store/verifications.ts";
import type { Told } from "./told.ts";

/** How an account stands, as it is shown to its owner. */
export type AccountVerification = { userId: string; status: Verification; reason: string | null };

export type VerificationDecision = {
  userId: string;
  status: Verification;
  reason: string;
  /** In words: a key's id, `command line`, `sandbox`. */
  decidedBy: string;
  actor: Actor;
  at: Date;
};

/** What may decide about an account at once; where it does not, a person does. */
export type Verifier = (
  account: Pick<User, "id" | "name" | "email">,
) => { status: "approved" | "rejected" | "review"; reason: string } | undefined;

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
  const { userId, status, reason, decidedBy, actor, at } = decision;
  if (!(await setVerification(tx, userId, status, at))) throw unknownAccount(userId);
  await insertDecision(tx, { userId, status, reason, decidedBy, at });
  const verification = { userId, status, reason };
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
    detail: { reason, decidedBy },
    at,
  });
  return verification;
}

const mayStart: ReadonlySet<Verification> = new Set(["none", "rejected", "expired"]);

/** Asks for an account to be verified. The verifier may have an answer at once. */
export async function startVerification(
  tx: Transaction,
  context: { told: Told; verifier: Verifier },
  { userId, actor, at }: Pick<VerificationDecision, "userId" | "actor" | "at">,
): Promise<AccountVerification> {
  const account = await lockUser(tx, userId);
  if (!account) throw unknownAccount(userId);
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
  const decided = context.verifier(account);
  return decided
    ? decideVerification(tx, context, { userId, ...decided, decidedBy: "verifier", actor, at })
    : started;
}

function unknownAccount(userId: string): CallerError {
  return new CallerError("not_found", `Account ${userId} was not found.`);
}
