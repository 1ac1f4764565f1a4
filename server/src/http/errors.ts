import { STATUS_CODES } from "node:http";
import type { ErrorBody, UnauthorizedBody } from "@slipway/sdk";
import type { FastifyReply, FastifyRequest } from "fastify";
import { CallerError, type CallerFault, UnavailableError } from "../lib/errors.ts";
import { scrub } from "../lib/scrub.ts";
import type { Endpoint } from "./endpoint.ts";
import { LimitError } from "./limits.ts";

/** An error as the caller gets to see it. */
export type ErrorAnswer = {
  status: number;
  /** A word for programs: what kind of error it is. */
  type: string;
  body: ErrorBody;
  /** What is sent in the place of `body` unless a caller wants a problem document. */
  bodyForData?: UnauthorizedBody;
  headers: Record<string, string>;
};

const statusOf: Record<CallerFault, number> = {
  bad_request: 400,
  invalid_key: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  unprocessable: 422,
  too_many_requests: 429,
};

const typeOf: Record<number, string> = {
  ...Object.fromEntries(Object.entries(statusOf).map(([fault, status]) => [status, fault])),
  408: "request_timeout",
  431: "headers_too_large",
  500: "internal",
  503: "unavailable",
};

/** How every sentence about a missing field begins. */
const missingField = "Required field is missing: ";

const problemType = "application/problem+json";

/** The framework's own complaints, in our words. */
const frameworkSentences: Record<string, [status: number, message: string]> = {
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
  endpoint: Pick<Endpoint, "family" | "bodyMegabytesMost"> | undefined,
  requestId: string,
): ErrorAnswer {
  if (error instanceof CallerError) {
    if (error.fault === "invalid_key" && endpoint?.family === "data") {
      return {
        ...envelope(401, error.messages),
        bodyForData: { Unauthorized: "Invaild API Key" },
      };
    }
    const headers = error instanceof LimitError ? error.headers : {};
    return envelope(statusOf[error.fault], error.messages, headers);
  }
  if (error instanceof UnavailableError) {
    const headers = { "retry-after": String(error.retryAfterSeconds) };
    return envelope(503, [`${error.message} Try again in a moment.`], headers);
  }
  const [status, message] = frameworkSentence(codeOf(error), endpoint?.bodyMegabytesMost) ?? [];
  if (status && message) return envelope(status, [message]);
  const framework = statusCodeOf(error);
  if (framework >= 400 && framework < 500)
    return envelope(framework, ["The request cannot be read."]);
  return envelope(500, [`Something went wrong on our side. Request id ${requestId}.`]);
}

function frameworkSentence(
  code: string,
  bodyMegabytesMost: number | undefined,
): [status: number, message: string] | undefined {
  if (code !== "FST_ERR_CTP_BODY_TOO_LARGE") return frameworkSentences[code];
  const most = bodyMegabytesMost === undefined ? "64 kB" : `${bodyMegabytesMost} MB`;
  return [413, `The request is too large: a body may have at most ${most}.`];
}

/** The envelope of every error but one. */
export function envelope(
  status: number,
  messages: readonly string[],
  headers: Record<string, string> = {},
): ErrorAnswer {
  const isMissing = status === 400 && messages.some((message) => message.startsWith(missingField));
  return {
    status,
    type: isMissing ? "field_missing" : (typeOf[status] ?? "bad_request"),
    body: { errors: messages.map((message) => ({ message: scrub(message) })), code: status },
    headers,
  };
}

/** Sends an error: as a problem document (RFC 9457) to those who ask for one. */
export function sendErrorAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: ErrorAnswer,
): void {
  const { status, type, body, bodyForData, headers } = answer;
  reply.code(status).headers(headers).header("slipway-error-type", type);
  if (request.headers.accept?.includes(problemType)) {
    // As bytes, which the framework does not fit into the schema of the usual envelope.
    const document = Buffer.from(JSON.stringify(problemOf(answer, request.id)));
    reply.type(problemType).header("vary", "accept").send(document);
    return;
  }
  reply.type("application/json; charset=utf-8").send(bodyForData ?? body);
}

function problemOf({ status, type, body }: ErrorAnswer, requestId: string): object {
  return {
    type: `urn:slipway:error:${type}`,
    title: STATUS_CODES[status] ?? "Error",
    status,
    detail: body.errors.map(({ message }) => message).join(" "),
    instance: `urn:slipway:request:${requestId}`,
    errors: body.errors,
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function statusCodeOf(error: unknown): number {
  return error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
}
