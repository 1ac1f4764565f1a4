import { Type } from "typebox";
import type { Database } from "../../database/database.ts";
import { Ready } from "../../http/ready.ts";
import type { Clock } from "../../lib/clock.ts";
import { CallerError, UnavailableError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import type { Random } from "../../lib/random.ts";
import type { Sealer } from "../../lib/seal.ts";
import type { Ports, Verdict } from "../ports.ts";
import { limitField, skipField } from "./cursor-pages.ts";

export type PaymentMethodContext = {
  db: Database;
  clock: Clock;
  random: Random;
  sealer: Sealer;
  ports: Pick<Ports, "screening">;
};

/** How an answer without content is documented, and how it is sent. */
export const NoContent = Type.Null();
export const noContent = new Ready("");

/** Which part of a list is wanted. Without a limit it is the whole. */
export const PageSchema = Type.Object({ limit: limitField, skip: skipField });

/** The page that a query asks for. */
export function pageOf({ limit, skip }: { limit?: number; skip?: number }): {
  limit: number | null;
  skip: number;
} {
  return { limit: limit ?? null, skip: skip ?? 0 };
}

/** Refuses whom we may not deal with. Nobody is let through while nobody answers. */
export async function requireClear(asked: Promise<Verdict>, what: string): Promise<void> {
  const verdict = await asked.catch((cause: unknown) => {
    throw new UnavailableError("Screening does not answer just now.", { cause });
  });
  if (verdict === "clear") return;
  throw new CallerError("forbidden", `This ${what} cannot be registered. Please contact support.`);
}

/** What has not the form of an id need not be looked for, and is not repeated. */
export function requireId(prefix: string, id: string): void {
  if (!isId(prefix, id))
    throw new CallerError("not_found", `There is no such id here: ids look like ${prefix}-123.`);
}

/** Says that something is not there, or is not the caller's. */
export function notFound(what: string, id: string): CallerError {
  return new CallerError("not_found", `${what} ${id} was not found.`);
}

/** Says why something cannot be deleted. */
export function notDeleted(what: string, id: string, why: "unknown" | "in_use"): CallerError {
  if (why === "unknown") return notFound(what, id);
  return new CallerError("conflict", `${what} ${id} is used by an open transaction.`);
}
