import { expect, test } from "vitest";
import { freshnessHeaders, heardHeaders } from "./freshness.ts";

const time = Date.UTC(2026, 0, 2, 3, 4, 5) / 1_000;

test.each([
  [time * 1_000 + 12_999, "12"],
  [time * 1_000, "0"],
  [time * 1_000 - 5_000, "0"],
])("at %i an answer as of a block says which, and how old it is", (now, age) => {
  expect(freshnessHeaders({ block: 19_000_000, time }, now)).toEqual({
    "slipway-as-of": "2026-01-02T03:04:05Z; block=19000000",
    age,
    "slipway-source": "chain",
  });
});

test.each([
  [time * 1_000 + 12_999, "12"],
  [time * 1_000, "0"],
  [time * 1_000 - 5_000, "0"],
])("at %i an answer from an exchange says when it was true, and how old it is", (now, age) => {
  for (const at of [time * 1_000, time * 1_000 + 1, time * 1_000]) {
    expect(heardHeaders({ at, source: "websocket" }, now)).toEqual({
      "slipway-as-of": `2026-01-02T03:04:05.00${at - time * 1_000}Z`,
      age,
      "slipway-source": "websocket",
    });
  }
});
