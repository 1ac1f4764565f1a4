import { isObject } from "../lib/is-object.ts";
import { failureOf, type RpcError } from "./rpc-errors.ts";
import { RpcFailure } from "./rpc-failure.ts";

/** What we ask a node. */
export type RpcRequest = { method: string; params: readonly unknown[] };

/** What a node says to one request. */
export type RpcReply = { result: unknown } | { error: RpcError };

/** A request as it is sent. */
export type WireRequest = RpcRequest & { jsonrpc: "2.0"; id: number };

/** Longer messages are cut: they are somebody else's. */
const messageMost = 2_000;

/** One request alone, several as a batch. */
export function toWire(requests: readonly RpcRequest[], firstId: number): WireRequest[] {
  return requests.map(({ method, params }, index) => ({
    jsonrpc: "2.0",
    id: firstId + index,
    method,
    params,
  }));
}

/** The replies in the order of the requests. Missing, repeated and foreign ids make the whole answer worthless. */
export function matchReplies(body: unknown, requests: readonly WireRequest[]): RpcReply[] {
  const [only, ...others] = requests;
  if (only && others.length === 0) return [readReply(soleReply(body, only.id))];
  if (!Array.isArray(body)) throw batchFailure(body);
  const byId = new Map<number, unknown>();
  for (const reply of body) {
    const id = idOf(reply);
    if (id === undefined && isObject(reply) && isObject(reply.error)) throw batchFailure(reply);
    if (id === undefined || byId.has(id))
      throw new RpcFailure("broken", "the answer to a batch has a reply twice or without id");
    byId.set(id, reply);
  }
  if (byId.size !== requests.length || !requests.every(({ id }) => byId.has(id)))
    throw new RpcFailure("broken", "the answer to a batch has other ids than the batch");
  return requests.map(({ id }) => readReply(byId.get(id)));
}

/** The result of a reply; its error is thrown. */
export function resultOf(reply: RpcReply): unknown {
  if ("error" in reply) throw failureOf(reply.error);
  return reply.result;
}

/** Some servers put a single reply into a list, and errors they cannot attribute have no id. */
function soleReply(body: unknown, id: number): unknown {
  const reply = Array.isArray(body) && body.length === 1 ? body[0] : body;
  const isUnattributed = isObject(reply) && isObject(reply.error) && reply.id == null;
  if (idOf(reply) !== id && !isUnattributed)
    throw new RpcFailure("broken", "the answer has another id than the request");
  return reply;
}

function idOf(reply: unknown): number | undefined {
  if (!isObject(reply)) return undefined;
  const { id } = reply;
  return typeof id === "number" || (typeof id === "string" && id !== "") ? Number(id) : undefined;
}

function readReply(reply: unknown): RpcReply {
  if (isObject(reply)) {
    if (isObject(reply.error)) return { error: readError(reply.error) };
    if (reply.result !== undefined) return { result: reply.result };
  }
  throw new RpcFailure("broken", "the answer has neither a result nor an error");
}

function readError({ code, message, data }: Record<string, unknown>): RpcError {
  return {
    code: typeof code === "number" ? code : 0,
    message: typeof message === "string" ? message.slice(0, messageMost) : "an error without words",
    data,
  };
}

/** A provider that answers a batch with one object did not like the batch, or is asked too often. */
function batchFailure(body: unknown): RpcFailure {
  if (!isObject(body) || !isObject(body.error))
    return new RpcFailure("broken", "the answer to a batch is no list");
  const failure = failureOf(readError(body.error));
  if (failure.kind === "limited" && !/batch/i.test(failure.message)) return failure;
  return new RpcFailure("broken", failure.message, { refusesBatch: true });
}
