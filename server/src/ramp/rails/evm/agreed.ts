import { stringifyBigints } from "../../../lib/bigint-json.ts";
import { messageOf, OperatorError, UnavailableError } from "../../../lib/errors.ts";
import type { EvmEndpoint } from "./evm-endpoint.ts";

/** What an endpoint said, or why it said nothing. */
export type Said<Value> =
  | { host: string; value: Value; text: string }
  | { host: string; error: unknown };

const textMost = 160;

/**
 * The answer that `agreeing` of the endpoints give alike. No more of them are asked than it takes. Without such an
 * answer it is an error that says who said what.
 */
export async function agreed<Value>(
  endpoints: readonly EvmEndpoint[],
  agreeing: number,
  what: string,
  ask: (endpoint: EvmEndpoint) => Promise<Value>,
): Promise<Value> {
  const said: Said<Value>[] = [];
  for (;;) {
    const alike = mostAlike(said);
    if (alike[0] && alike.length >= agreeing) return alike[0].value;
    const next = endpoints.slice(said.length, said.length + agreeing - alike.length);
    if (next.length === 0) throw disagreement(`Too few nodes agree on ${what}`, said);
    said.push(...(await askAll(next, ask)));
  }
}

/** What each of them says to the same question. */
export function askAll<Value>(
  endpoints: readonly EvmEndpoint[],
  ask: (endpoint: EvmEndpoint) => Promise<Value>,
): Promise<Said<Value>[]> {
  return Promise.all(
    endpoints.map(async (endpoint) => {
      const { host } = endpoint;
      try {
        const value = await ask(endpoint);
        return { host, value, text: textOf(value) };
      } catch (error) {
        return { host, error };
      }
    }),
  );
}

/** Why nothing can be believed. An endpoint of another chain is for the operator to put right. */
export function disagreement(problem: string, said: readonly Said<unknown>[]): Error {
  for (const one of said)
    if ("error" in one && one.error instanceof OperatorError) return one.error;
  const sides = said.map((one) =>
    "error" in one
      ? `${one.host} fails (${messageOf(one.error)})`
      : `${one.host} says ${one.text.slice(0, textMost)}`,
  );
  return new UnavailableError(`${problem}: ${sides.join("; ")}.`);
}

/** The answers of the largest group that are the same. */
function mostAlike<Value>(said: readonly Said<Value>[]): { value: Value }[] {
  const groups = new Map<string, { value: Value }[]>();
  for (const one of said) {
    if ("error" in one) continue;
    groups.set(one.text, [...(groups.get(one.text) ?? []), one]);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length)[0] ?? [];
}

function textOf(value: unknown): string {
  return value === undefined ? "that there is none" : stringifyBigints(value);
}
