import { CallerError, messageOf, UnavailableError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Reply, Source } from "../messages.ts";

/** What was found, when it was true, and who said so. */
export type Finding<Value> = { value: Value; at: number; source: Source };

const retryAfterSeconds = 2;

/** Turns what a search finds, or how it fails, into an answer that can travel. */
export async function replyWith<Value>(
  log: Log,
  find: () => Promise<Finding<Value>>,
): Promise<Reply<Value>> {
  try {
    return { kind: "found", ...(await find()) };
  } catch (error) {
    if (error instanceof CallerError) return { kind: "unknown", message: error.message };
    const isExpected = error instanceof UnavailableError;
    if (!isExpected) log.error({ err: error }, "a question about an exchange failed");
    const message = isExpected ? messageOf(error) : "The exchange's answer could not be used.";
    return { kind: "unavailable", message, retryAfterSeconds };
  }
}
