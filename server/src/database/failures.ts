import pg from "pg";
import { CallerError, UnavailableError } from "../lib/errors.ts";

/** Serialization failure and deadlock: the server asks us to do the same work again. */
const retryCodes = new Set(["40001", "40P01"]);

/** Admin shutdown, crash, starting up, too many clients, a read-only standby, statement timeout. */
const unavailableCodes = new Set(["57P01", "57P02", "57P03", "53300", "25006", "57014"]);

const networkCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EACCES",
]);

const lostConnection =
  /connection terminated|connection ended|timeout exceeded when trying to connect|client has encountered a connection error|not queryable|server closed the connection/i;

export function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && retryCodes.has(error.code ?? "");
}

/** Whether the failure is the connection's, not the statement's. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? "";
    return unavailableCodes.has(code) || code.startsWith("08");
  }
  if (!(error instanceof Error)) return false;
  return networkCodes.has(codeOf(error)) || lostConnection.test(error.message);
}

/** Rethrows what others understand: a lost connection is to be tried again later, unstorable text is the caller's. */
export function asOurError(error: unknown): never {
  if (isUnavailable(error)) {
    throw new UnavailableError("The database does not answer just now.", { cause: error });
  }
  if (error instanceof pg.DatabaseError && error.code === "22021") {
    throw new CallerError("bad_request", "Text may not contain the character U+0000.");
  }
  throw error;
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}
