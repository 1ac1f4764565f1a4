import { messageOf, UnavailableError } from "../errors.ts";

type JsonQuestion = {
  url: string;
  method?: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
  timeoutMs: number;
  answerBytesMost: number;
  fetch?: typeof fetch | undefined;
  signal?: AbortSignal | undefined;
};

/** The status, and what the body holds; nothing when it is no JSON. */
type JsonAnswer = { status: number; json: unknown };

/** Asks a service that the operator chose. Throws an `UnavailableError` when no complete answer comes: then nobody knows. */
export async function askJson(question: JsonQuestion): Promise<JsonAnswer> {
  const { url, method = "GET", body, timeoutMs, answerBytesMost, signal } = question;
  const { fetch: send = fetch } = question;
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const response = await send(url, {
      method,
      headers: { accept: "application/json", ...question.headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "error",
      signal: signal ? AbortSignal.any([late, signal]) : late,
    });
    return { status: response.status, json: parsed(await readBody(response, answerBytesMost)) };
  } catch (error) {
    const why = late.aborted ? `no answer within ${timeoutMs / 1_000} seconds` : reasonOf(error);
    throw new UnavailableError(`${new URL(url).host} does not answer: ${why}`, { cause: error });
  }
}

async function readBody(response: Response, bytesMost: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > bytesMost) throw new Error(`the answer has more than ${bytesMost} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is wrong with a connection stands in the cause. */
function reasonOf(error: unknown): string {
  return messageOf(error instanceof Error && error.cause ? error.cause : error);
}
