import { isObject } from "../../lib/is-object.ts";
import { RpcError } from "./engine.ts";

const withBlockRange = /^eth_(getLogs|newFilter|subscribe)$/;
const withGas = /^eth_(call|estimateGas)$/;
const withTime = /^evm_(mine|increaseTime|setNextBlockTimestamp)$/;

/** Further ahead there is nothing to look for. The engine would look all the same, for years. */
const aheadMost = 1_000;

/** No transaction of today's Ethereum may use more. The engine writes down every step, so more would take minutes. */
const gasMost = 2 ** 24;

/** A time that the engine can still add to. It is in the year 2106. */
const timeMost = 2 ** 32;
const invalidParams = -32602;

/** The params of a request in a form that the engine survives. Throws when there is none. */
export function guarded(
  method: string,
  params: readonly unknown[],
  headNumber: number,
): readonly unknown[] {
  if (withBlockRange.test(method)) {
    const last = headNumber + aheadMost;
    return params.map((param) => capped(capped(param, "fromBlock", last), "toBlock", last));
  }
  if (withGas.test(method)) return params.map((param) => capped(param, "gas", gasMost));
  if (withTime.test(method) && params.some((param) => Number(param) > timeMost)) {
    throw new RpcError(invalidParams, `The chain's time ends at ${timeMost}.`);
  }
  return params;
}

/** An object whose field, if it is a number at all, is at most this. */
function capped(param: unknown, field: string, most: number): unknown {
  if (!isObject(param) || typeof param[field] !== "string" || !(Number(param[field]) > most)) {
    return param;
  }
  return { ...param, [field]: `0x${most.toString(16)}` };
}
