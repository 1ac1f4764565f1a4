import { CallerError } from "../lib/errors.ts";
import { isObject } from "../lib/is-object.ts";
import type { Endpoint } from "./endpoint.ts";

/** Whether the account of a key may act for another account. */
export type MayActFor = (callerId: string, userId: string) => boolean | Promise<boolean>;

/** The account that a request names in its body or query, if the caller may act for it; else the caller's own. */
export function accountActedFor(
  actsFor: NonNullable<Endpoint["actsFor"]>,
  { body, query }: { body: unknown; query: unknown },
  callerId: string,
  mayActFor: MayActFor,
): string | Promise<string> {
  const inBody = userIdIn(body);
  const inQuery = userIdIn(query);
  if (inBody !== undefined && inQuery !== undefined && inBody !== inQuery) {
    throw new CallerError("bad_request", "userId is given twice with different values");
  }
  const userId = inBody ?? inQuery ?? callerId;
  if (userId === callerId) return userId;
  const mayAct = actsFor === "subaccounts" && mayActFor(callerId, userId);
  return mayAct instanceof Promise
    ? mayAct.then((may) => allowed(userId, may))
    : allowed(userId, mayAct);
}

function userIdIn(fields: unknown): string | undefined {
  const userId = isObject(fields) ? fields.userId : undefined;
  if (userId === undefined || typeof userId === "string") return userId;
  throw new CallerError("bad_request", "userId must be one account's id, such as usr-123");
}

/** Says the same about accounts of others and those that do not exist. */
function allowed(userId: string, mayAct: boolean): string {
  if (mayAct) return userId;
  throw new CallerError("forbidden", "userId is not a subaccount of this account.");
}
