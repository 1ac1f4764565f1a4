import { isObject } from "../lib/is-object.ts";
import { RpcFailure } from "./rpc-failure.ts";

/** Why a node does not answer. */
export type RpcError = { code: number; message: string; data?: unknown };

/** Codes that providers use for "too often": HTTP's own, and those of TheRPC and QuickNode. */
const limitedCodes = new Set([429, -32029, -32007, -32012, -32014]);

/** Infura's and others' code for any limit; of the rate unless the text is about something else. */
const limitCode = -32005;

const limitedTexts = [
  /rate.?limit|too many requests?\b|throttl|slow down|throughput|capacity exceeded/i,
  /requests? (?:per|\/) ?(?:sec|min|day)|\/sec(?:ond)?\b|request (?:count|limit|rate)/i,
  /compute units|credits|quota|(?:usage|call|monthly|daily) limit/i,
];

/** What nodes say of a block or state that they do not have: they lag, or they have forgotten it. */
const missingTexts = [
  /(?:header|block|state|transaction) (?:is |was )?(?:not found|unavailable|not available)/i,
  /unknown block|missing trie node|future block|invalid block range|after last accepted block/i,
  /beyond (?:the )?(?:current )?head|not (?:yet )?(?:available|indexed)|cannot be found|are pruned/i,
];

/** Codes of a contract that refused: geth's, and Parity's. */
const revertCodes = new Set([3, -32015]);

/** How clients say that the EVM ended a call, for reasons that are the contract's and stay the same. */
const revertTexts = [
  /revert|vm execution error|vm exception|evm error|out of gas|gas uint64 overflow/i,
  /invalid opcode|opcode .* not defined|invalid instruction|bad instruction|write protection/i,
  /invalid jump|bad jump|stack (?:under|over)flow|stack limit|precompile/i,
];

/** Whether a call failed because the contract refused it, and would again anywhere. */
export function isRevert({ code, message }: RpcError): boolean {
  if (revertCodes.has(code)) return true;
  return matchesAny(revertTexts, message) && !matchesAny(limitedTexts, message);
}

/** What an error object means for the one who asked. */
export function failureOf(error: RpcError): RpcFailure {
  const text = textOf(error);
  const isLimited =
    limitedCodes.has(error.code) || error.code === limitCode || matchesAny(limitedTexts, text);
  if (isLimited) {
    const waitMs = namedWaitMs(error, text);
    return new RpcFailure("limited", text, waitMs === undefined ? {} : { waitMs });
  }
  return new RpcFailure(matchesAny(missingTexts, text) ? "missing" : "broken", text);
}

/** Whether a text is of one of these kinds. */
export function matchesAny(patterns: readonly RegExp[], text: string): boolean {
  return patterns.some((pattern) => pattern.test(text));
}

/** The message, and what the data adds to it. */
export function textOf({ code, message, data }: RpcError): string {
  const extra =
    data === undefined ? "" : ` ${typeof data === "string" ? data : JSON.stringify(data)}`;
  return `${message}${extra.slice(0, 500)} (${code})`;
}

/** How long an HTTP answer asks us to wait: seconds, or a date. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (!header) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

const unitMs: Record<string, number> = { ms: 1, s: 1_000, m: 60_000 };

function namedWaitMs({ data }: RpcError, text: string): number | undefined {
  if (isObject(data) && isObject(data.rate) && typeof data.rate.backoff_seconds === "number")
    return data.rate.backoff_seconds * 1_000;
  const [, amount, unit = ""] =
    /(?:retry|try again|wait)\D{0,12}(\d+(?:\.\d+)?) ?(ms|s|m)/i.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (unitMs[unit.toLowerCase()] ?? 1_000);
}
