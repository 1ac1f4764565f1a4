import { hash } from "node:crypto";
import type { Database, Transaction } from "../database/database.ts";
import type { DueWork } from "../database/due.ts";
import { WithHeaders } from "../http/answer.ts";
import type { Caller, Idempotency } from "../http/endpoint.ts";
import { Ready } from "../http/ready.ts";
import type { Clock } from "../lib/clock.ts";
import { CallerError } from "../lib/errors.ts";
import type { Sealer } from "../lib/seal.ts";
import {
  type AnswerScope,
  deleteAnswer,
  findAnswer,
  postponeDueAnswer,
  type StoredAnswer,
  storeAnswer,
  takeDueAnswer,
  tryLock,
} from "./store/answers.ts";
import { leaveWall } from "./wall.ts";

const keptMs = 7 * 24 * 3_600_000;
const replayed = { "idempotency-replayed": "true" };

/**
 * Does the work of a POST in one transaction, and keeps its answer in the same one when the caller gave an
 * Idempotency-Key: whoever sends the request again gets that answer and nothing happens twice. What depends on the
 * state of things has to be checked inside `work`, since a repeated request must not fail on what it changed itself.
 */
export function once<Content extends object>(
  context: { db: Database; clock: Clock; sealer: Sealer },
  input: { caller: Caller; idempotency: Idempotency | undefined },
  work: (tx: Transaction) => Promise<Content>,
): Promise<Content | WithHeaders<Ready>> {
  const { db, clock, sealer } = context;
  const { caller, idempotency } = input;
  if (!idempotency) return db.transact(work);
  const { key, route, fingerprint } = idempotency;
  const scope = { userId: caller.userId, key, route };

  return db.transact(async (tx) => {
    if (!(await tryLock(tx, lockOf(scope)))) {
      throw new CallerError(
        "conflict",
        "A request with this Idempotency-Key is still being processed.",
      );
    }
    const now = clock.now();
    const stored = await findAnswer(tx, scope, new Date(now));
    if (stored) return replay(stored, sealer, scope, fingerprint);
    const json = idempotency.serialize(await work(tx));
    await leaveWall(tx);
    await storeAnswer(tx, {
      ...scope,
      fingerprint,
      answer: sealer.seal(json, placeOf(scope)),
      now: new Date(now),
      until: new Date(now + keptMs),
    });
    return new WithHeaders(new Ready(json), {});
  });
}

/** Forgets answers that nobody will ask for again. */
export const forgetAnswers: DueWork<AnswerScope> = {
  name: "forget answers to repeated requests",
  take: takeDueAnswer,
  handle: (tx, scope) => deleteAnswer(tx, scope),
  postpone: (scope, now) => postponeDueAnswer(scope, new Date(now.getTime() + 60_000)),
};

function replay(
  stored: StoredAnswer,
  sealer: Sealer,
  scope: AnswerScope,
  fingerprint: Buffer,
): WithHeaders<Ready> {
  if (!stored.fingerprint.equals(fingerprint)) {
    throw new CallerError(
      "unprocessable",
      "This Idempotency-Key was used with a different request.",
    );
  }
  return new WithHeaders(new Ready(sealer.open(stored.answer, placeOf(scope))), replayed);
}

/** The caller's text stands last, so that no two scopes have the same place. */
function placeOf({ userId, key, route }: AnswerScope): string {
  return `idempotency_keys|answer|${userId}|${route}|${key}`;
}

function lockOf(scope: AnswerScope): bigint {
  return hash("sha256", placeOf(scope), "buffer").readBigInt64BE();
}
