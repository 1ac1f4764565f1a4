import { isObject } from "../../lib/is-object.ts";
import { RpcError } from "./engine.ts";

/** Finds the answer to one call: `{"result":…}` or `{"error":…}`. May throw an `RpcError`. */
export type Answer = (method: string, params: readonly unknown[]) => Promise<string>;

const batchMost = 1_000;
const codes = { parse: -32700, request: -32600, params: -32602, internal: -32603, reverted: 3 };

/** Answers what came over the wire, whatever it is: one call, a batch of them, or no JSON at all. */
export async function answerText(text: string, answer: Answer): Promise<string> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return failure(null, codes.parse, "This is not JSON.");
  }
  if (!Array.isArray(body)) return answerCall(body, answer);
  if (body.length === 0) return failure(null, codes.request, "This batch is empty.");
  if (body.length > batchMost) {
    return failure(null, codes.request, `This batch has more than ${batchMost} calls.`);
  }
  const answers = await Promise.all(body.map((call) => answerCall(call, answer)));
  return `[${answers.join()}]`;
}

async function answerCall(call: unknown, answer: Answer): Promise<string> {
  const id = isObject(call) && isId(call.id) ? call.id : null;
  if (!isObject(call) || typeof call.method !== "string") {
    return failure(id, codes.request, "A call is an object with a method.");
  }
  const { method, params = [] } = call;
  if (!Array.isArray(params)) return failure(id, codes.params, "The params must be a list.");
  try {
    const answered = await answer(method, params);
    return withId(id, answered.startsWith('{"error"') ? likeOtherNodes(answered) : answered);
  } catch (error) {
    if (error instanceof RpcError) return failure(id, error.code, error.message);
    return failure(id, codes.internal, "The chain failed to answer.");
  }
}

type Id = string | number | null;

function isId(value: unknown): value is Id {
  return value === null || typeof value === "string" || typeof value === "number";
}

/** The answer itself can be megabytes, so it is not taken apart for this. */
function withId(id: Id, answered: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${answered.slice(1)}`;
}

function failure(id: Id, code: number, message: string): string {
  return withId(id, JSON.stringify({ error: { code, message } }));
}

/** Clients tell a call that was reverted from one that could not be made by the words and the code of geth. */
function likeOtherNodes(answered: string): string {
  const { error } = JSON.parse(answered) as {
    error: { code: number; message: string; data?: unknown };
  };
  const { code, message, data } = error;
  if (!isObject(data) || !isObject(data.reason) || !("Revert" in data.reason)) {
    return JSON.stringify({ error: { code, message } });
  }
  const [, reason] = /reason string '(.*)'/s.exec(message) ?? [];
  return JSON.stringify({
    error: {
      code: codes.reverted,
      message: reason ? `execution reverted: ${reason}` : "execution reverted",
      data: data.data,
    },
  });
}
