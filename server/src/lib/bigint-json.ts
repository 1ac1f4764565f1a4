import { isObject } from "./is-object.ts";

/** JSON in which a bigint stands as `{"bigint": "123"}`: no text from outside can be taken for one. */
export function stringifyBigints(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === "bigint" ? { bigint: String(inner) } : inner,
  );
}

/** Reads what `stringifyBigints` wrote. */
export function parseBigints(text: string): unknown {
  return JSON.parse(text, (_, inner) =>
    isObject(inner) && typeof inner.bigint === "string" && Object.keys(inner).length === 1
      ? BigInt(inner.bigint)
      : inner,
  );
}
