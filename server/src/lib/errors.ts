/** What the caller did wrong. `http/` turns each kind into a status. */
export type CallerFault =
  | "bad_request"
  | "invalid_key"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "not_acceptable"
  | "conflict"
  | "too_large"
  | "uri_too_long"
  | "unsupported_media_type"
  | "unprocessable"
  | "too_many_requests";

/** The caller's fault: sentences we are happy to show, one for each thing that is wrong. */
export class CallerError extends Error {
  readonly fault: CallerFault;
  readonly messages: readonly string[];

  constructor(fault: CallerFault, ...messages: [string, ...string[]]) {
    super(messages.join(" "));
    this.name = "CallerError";
    this.fault = fault;
    this.messages = messages;
  }
}

/** Something we depend on does not answer just now. Trying again later may help. */
export class UnavailableError extends Error {
  readonly retryAfterSeconds: number;

  constructor(message: string, options: ErrorOptions & { retryAfterSeconds?: number } = {}) {
    super(message, options);
    this.name = "UnavailableError";
    this.retryAfterSeconds = options.retryAfterSeconds ?? 1;
  }
}

/** The service cannot start or a command cannot run: the operator has to change something. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "OperatorError";
  }
}

/** Holds what must be true for the code to be right. A failure is a bug of ours, not of the caller. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Broken assumption: ${message}`);
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
