/** What is known about an answer that is not a success. */
export type ErrorFacts = {
  status: number;
  /** One sentence for each thing that was wrong. */
  messages: readonly string[];
  /** A word for programs, such as `not_found`. */
  type?: string | undefined;
  /** Name it when you ask for help: it finds the request in the service's log. */
  requestId?: string | undefined;
  /** In how many seconds it makes sense to ask again, where the service said so. */
  retryAfter?: number | undefined;
};

/** An answer that is not a success: its status, and what the service said about it. */
export class SlipwayError extends Error {
  readonly status: number;
  /** One sentence for each thing that was wrong. */
  readonly messages: readonly string[];
  /** A word for programs, such as `not_found`. */
  readonly type: string | undefined;
  /** Name it when you ask for help: it finds the request in the service's log. */
  readonly requestId: string | undefined;
  /** In how many seconds it makes sense to ask again, where the service said so. */
  readonly retryAfter: number | undefined;

  constructor({ status, messages, type, requestId, retryAfter }: ErrorFacts) {
    super(`${status}: ${messages.join(" ")}`);
    this.name = "SlipwayError";
    this.status = status;
    this.messages = messages;
    this.type = type;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** No answer came, or none in time: nobody knows whether the request arrived. */
export class UnreachableError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "UnreachableError";
  }
}

/** The error that an answer stands for. */
export function errorOf(status: number, headers: Headers, body: unknown, now: number) {
  return new SlipwayError({
    status,
    messages: messagesIn(body),
    type: headers.get("slipway-error-type") ?? undefined,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfter: secondsUntil(headers.get("retry-after"), now),
  });
}

/** Why a `fetch` failed: engines hide that in the cause, or in the code of the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || ("code" in cause ? String(cause.code) : error.message);
}

/** Reads the sentences out of either error body. */
function messagesIn(body: unknown): string[] {
  if (typeof body !== "object" || body === null) return ["The service gave no reason."];
  if ("errors" in body && Array.isArray(body.errors)) {
    return body.errors.map((error: { message?: unknown }) => String(error?.message));
  }
  return Object.entries(body).map(([name, value]) => `${name}: ${String(value)}`);
}

/** `Retry-After` is a number of seconds or a date. */
function secondsUntil(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : Math.max(0, Math.ceil((moment - now) / 1_000));
}
