import type { Log } from "./chain.ts";
import type { Answer, Endpoint } from "./endpoint.ts";
import { type RpcReply, type RpcRequest, resultOf } from "./json-rpc.ts";
import type { NodeLimits } from "./limits.ts";
import { type LogAnswer, type LogScope, readLogs } from "./log-answer.ts";
import type { PreparedFilter } from "./log-filter.ts";
import { readRangeError } from "./range-errors.ts";
import { toQuantity } from "./read-hex.ts";
import { failureOf, textOf } from "./rpc-errors.ts";
import { RpcFailure } from "./rpc-failure.ts";
import type { ExchangeLimits } from "./transport.ts";

/** The logs that one endpoint has for a scope. */
export type FetchedLogs = LogAnswer & { bytes: number };

/** A node may silently leave out blocks that it does not have, so it is asked how far it is near its head. */
const nearHeadBlocks = 64;

/** Nodes that give at most so many logs, and do not say that there were more, give a multiple of this. */
const suspectedLogs = 1_000;

/** Asks one endpoint for all logs of a scope, and checks what it says. */
export async function askForLogs(
  endpoint: Endpoint,
  scope: LogScope,
  limits: NodeLimits,
  signal: AbortSignal,
): Promise<FetchedLogs> {
  const blocks = scope.to - scope.from + 1;
  checkLength(endpoint, blocks);
  const exchange = {
    timeoutMs: limits.logRequestMs,
    bodyMostBytes: blocks === 1 ? limits.bodyMostBytes : limits.logBodyMostBytes,
  };
  const results: unknown[] = [];
  let bytes = 0;
  for (const part of scope.filter.parts) {
    const answer = await askPart(endpoint, scope, part, { exchange, signal });
    results.push(logsResult(endpoint, answer.replies.at(-1), blocks));
    bytes += answer.bytes;
  }
  const { logs, ...rest } = readLogs(results, scope);
  if (blocks > 1) checkWhole(logs);
  return { logs, ...rest, bytes };
}

type Way = { exchange: ExchangeLimits; signal: AbortSignal };

async function askPart(
  endpoint: Endpoint,
  { from, to, block }: LogScope,
  part: PreparedFilter["parts"][number],
  way: Way,
): Promise<Answer> {
  const where = block
    ? { blockHash: block.hash }
    : { fromBlock: toQuantity(from), toBlock: toQuantity(to) };
  const request: RpcRequest = { method: "eth_getLogs", params: [{ ...where, ...part }] };
  const isFarBehindHead = to <= endpoint.learnt.head - nearHeadBlocks;
  if (block || isFarBehindHead) return endpoint.ask([request], way.signal, way.exchange);
  const answer = await askWithHead(endpoint, request, way);
  checkHead(endpoint, answer.replies[0], to);
  return answer;
}

const headRequest: RpcRequest = { method: "eth_blockNumber", params: [] };

/** Also asks for the head: in one batch, so that a provider with many nodes answers both from the same. */
async function askWithHead(
  endpoint: Endpoint,
  request: RpcRequest,
  { exchange, signal }: Way,
): Promise<Answer> {
  if (!endpoint.learnt.wantsLogsAlone)
    return endpoint.ask([headRequest, request], signal, exchange);
  const head = await endpoint.ask([headRequest], signal);
  const logs = await endpoint.ask([request], signal, exchange);
  return { replies: [...head.replies, ...logs.replies], bytes: logs.bytes };
}

/** Does not even ask for more than an endpoint is known to take. */
function checkLength({ learnt }: Endpoint, blocks: number): void {
  if (blocks <= learnt.mostBlocks) return;
  const advice = { mostBlocks: learnt.mostBlocks };
  throw new RpcFailure("wide", `it takes at most ${learnt.mostBlocks} blocks`, { advice });
}

function checkHead(endpoint: Endpoint, reply: RpcReply | undefined, needed: number): void {
  const head = Number(reply && resultOf(reply));
  if (!Number.isSafeInteger(head)) throw new RpcFailure("wrong", "its head is no number");
  endpoint.learnt.head = Math.max(endpoint.learnt.head, head);
  if (head < needed) throw new RpcFailure("missing", `it is at block ${head}, before ${needed}`);
}

/** The logs in a reply. A refusal is understood, and what it says about limits remembered. */
function logsResult(endpoint: Endpoint, reply: RpcReply | undefined, blocks: number): unknown {
  if (!reply) throw new RpcFailure("broken", "the answer is empty");
  if (!("error" in reply)) return reply.result;
  const text = textOf(reply.error);
  const advice = readRangeError(text, blocks);
  if (advice) {
    endpoint.learn(advice);
    throw new RpcFailure("wide", text, { advice });
  }
  const failure = failureOf(reply.error);
  if (failure.kind === "broken") endpoint.learnt.wantsLogsAlone = true;
  throw failure;
}

/** A number that is too round is asked for again, in parts. */
function checkWhole({ length }: readonly Log[]): void {
  if (length > 0 && length % suspectedLogs === 0)
    throw new RpcFailure("wide", `exactly ${length} logs may not be all`);
}
