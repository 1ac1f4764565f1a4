/** An answer that is not a success: its status, and what the service said about it. */
export class SlipwayError extends Error {
  readonly status: number;
  /** One sentence for each thing that was wrong. */
  readonly messages: readonly string[];
  /** Name it when you ask for help: it finds the request in the service's log. */
  readonly requestId: string | undefined;

  constructor(status: number, messages: readonly string[], requestId: string | undefined) {
    super(`${status}: ${messages.join(" ")}`);
    this.name = "SlipwayError";
    this.status = status;
    this.messages = messages;
    this.requestId = requestId;
  }
}

/** Reads the sentences out of either error body. */
export function messagesIn(body: unknown): string[] {
  if (typeof body !== "object" || body === null) return ["The service gave no reason."];
  if ("errors" in body && Array.isArray(body.errors)) {
    return body.errors.map((error: { message?: unknown }) => String(error?.message));
  }
  return Object.entries(body).map(([name, value]) => `${name}: ${String(value)}`);
}
