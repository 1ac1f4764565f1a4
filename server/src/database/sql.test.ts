import fc from "fast-check";
import { expect, test } from "vitest";
import { sql } from "./sql.ts";

test("values become parameters, and a statement inside another keeps its own", () => {
  const condition = sql`a = ${1} and b = ${"two"}`;
  const { text, values } = sql`select ${true} where ${condition} limit ${10}`;
  expect(text).toBe("select $1 where a = $2 and b = $3 limit $4");
  expect(values).toEqual([true, 1, "two", 10]);
});

test("no value, whatever it holds, ever becomes text", () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const { text, values } = sql`select ${value}`;
      return text === "select $1" && Object.is(values[0], value);
    }),
  );
});
