import type { ErrorBody, UnauthorizedBody } from "@slipway/sdk";
import { CallerError, type CallerFault, UnavailableError } from "../lib/errors.ts";
import { scrub } from "../lib/scrub.ts";
import type { Family } from "./endpoint.ts";
import { LimitError } from "./limits.ts";

/** An error as the caller gets to see it. */
export type ErrorAnswer = {
  status: number;
  body: ErrorBody | UnauthorizedBody;
  headers: Record<string, string>;
};

const statusOf: Record<CallerFault, number> = {
  bad_request: 400,
  invalid_key: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  unprocessable: 422,
  too_many_requests: 429,
};

/** The framework's own complaints, in our words. */
const frameworkSentences: Record<string, [status: number, message: string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, "The request is too large: a body may have at most 64 kB."],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, "Content-Type must be application/json."],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, "The request body is not valid JSON."],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    400,
    "The request body does not have the length it announces.",
  ],
  FST_ERR_BAD_URL: [
    400,
    "The URL is not valid: a % in it must be followed by two hexadecimal digits.",
  ],
  FST_ERR_MAX_PARAM_LENGTH: [414, "The request is too large: a part of the path is too long."],
};

/** Turns anything that was thrown into an answer. The one place where errors become HTTP. */
export function answerError(
  error: unknown,
  family: Family | undefined,
  requestId: string,
): ErrorAnswer {
  if (error instanceof CallerError) {
    if (error.fault === "invalid_key" && family === "data") {
      return { status: 401, body: { Unauthorized: "Invaild API Key" }, headers: {} };
    }
    const headers = error instanceof LimitError ? error.headers : {};
    return envelope(statusOf[error.fault], error.messages, headers);
  }
  if (error instanceof UnavailableError) {
    const headers = { "retry-after": String(error.retryAfterSeconds) };
    return envelope(503, [`${error.message} Try again in a moment.`], headers);
  }
  const [status, message] = frameworkSentences[codeOf(error)] ?? [];
  if (status && message) return envelope(status, [message]);
  const framework = statusCodeOf(error);
  if (framework >= 400 && framework < 500)
    return envelope(framework, ["The request cannot be read."]);
  return envelope(500, [`Something went wrong on our side. Request id ${requestId}.`]);
}

/** The envelope of every error but one. */
export function envelope(
  status: number,
  messages: readonly string[],
  headers: Record<string, string> = {},
): ErrorAnswer {
  return {
    status,
    body: { errors: messages.map((message) => ({ message: scrub(message) })), code: status },
    headers,
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function statusCodeOf(error: unknown): number {
  return error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
}
