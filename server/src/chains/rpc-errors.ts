import { isObject } from "../lib/is-object.ts";
import type { RpcError } from "./json-rpc.ts";
import { RpcFailure } from "./rpc-failure.ts";

/** Codes that providers use for "too often": HTTP's own, and those of TheRPC and QuickNode. */
const limitedCodes = new Set([429, -32029, -32007, -32012, -32014]);

/** Infura's and others' code for any limit; of the rate unless the text is about something else. */
const limitCode = -32005;

const limitedText =
  /rate.?limit|too many requests?\b|requests? (?:per|\/) ?(?:sec|min|day)|\/sec(?:ond)?\b|compute units|throughput|throttl|request (?:count|limit|rate)|quota|credits|capacity exceeded|(?:usage|call|monthly|daily) limit|slow down/i;

/** What nodes say of a block or state that they do not have: they lag, or they have forgotten it. */
const missingText =
  /(?:header|block|state|transaction) (?:is |was )?(?:not found|unavailable|not available)|unknown block|missing trie node|beyond (?:the )?(?:current )?head|future block|invalid block range|not (?:yet )?(?:available|indexed)|cannot be found|(?:is|are) pruned|after last accepted block/i;

/** Codes of a contract that refused: geth's, and Parity's. */
const revertCodes = new Set([3, -32015]);

/** How clients say that the EVM ended a call, for reasons that are the contract's and stay the same. */
const revertText =
  /revert|invalid opcode|opcode .* not defined|invalid jump|bad (?:instruction|jump)|stack (?:under|over)flow|stack limit|out of gas|gas uint64 overflow|vm execution error|vm exception|evm error|invalid instruction|write protection|precompile/i;

/** Whether a call failed because the contract refused it, and would again anywhere. */
export function isRevert({ code, message }: RpcError): boolean {
  if (revertCodes.has(code)) return true;
  return revertText.test(message) && !limitedText.test(message);
}

/** What an error object means for the one who asked. */
export function failureOf(error: RpcError): RpcFailure {
  const text = textOf(error);
  const isLimited =
    limitedCodes.has(error.code) || limitedText.test(text) || error.code === limitCode;
  if (isLimited) {
    const waitMs = namedWaitMs(error, text);
    return new RpcFailure("limited", text, waitMs === undefined ? {} : { waitMs });
  }
  return new RpcFailure(missingText.test(text) ? "missing" : "broken", text);
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
