import { expect, test } from "vitest";
import { everyHour } from "./every-hour.ts";

test("hours without a request are there too, and none is lost", () => {
  const summary = {
    from: "2026-11-15T10:00:00.000",
    requests: 5,
    errors: 1,
    notListed: 0,
    routes: [],
    hours: [
      { from: "2026-11-15T10:00:00.000", requests: 2, errors: 0 },
      { from: "2026-11-15T12:00:00.000", requests: 3, errors: 1 },
    ],
  };
  expect(everyHour(summary, Date.parse("2026-11-15T13:20:00Z"))).toEqual([
    { from: "2026-11-15T10:00:00.000Z", requests: 2, errors: 0 },
    { from: "2026-11-15T11:00:00.000Z", requests: 0, errors: 0 },
    { from: "2026-11-15T12:00:00.000Z", requests: 3, errors: 1 },
    { from: "2026-11-15T13:00:00.000Z", requests: 0, errors: 0 },
  ]);
});
