import { describe, expect, test } from "vitest";
import { bankDay, bankDays, cutOffWords, newYorkDay } from "./bank-days.ts";
import { countdown, longSpan } from "./spans.ts";

describe("the days of banks", () => {
  test("count down to 17:00 in New York while today's payments can still be ordered", () => {
    const at = Date.UTC(2026, 10, 16, 19, 46);
    expect(cutOffWords("2026-11-16", at)).toBe(
      "sent today if your crypto is there within 2 h 14 min",
    );
  });

  test("follow New York's summer time", () => {
    const at = Date.UTC(2026, 6, 15, 20, 30);
    expect(cutOffWords("2026-07-15", at)).toBe("sent today if your crypto is there within 30 min");
  });

  test("name the day when it is another one", () => {
    expect(cutOffWords("2026-11-16", Date.UTC(2026, 10, 14, 15))).toBe("sent on Mon 16 Nov");
  });

  test("are New York's, whatever the day is in UTC", () => {
    expect(newYorkDay(Date.UTC(2026, 10, 17, 3))).toBe("2026-11-16");
    expect(bankDay("2026-11-16")).toBe("Mon 16 Nov");
    expect(bankDays({ earliest: "2026-11-18", latest: "2026-11-23" })).toBe(
      "Wed 18 Nov to Mon 23 Nov",
    );
  });
});

describe("spans of time", () => {
  test.each([
    [45_000, "45 s"],
    [14 * 60_000, "14 min"],
    [8_040_000, "2 h 14 min"],
    [3_600_000, "1 h"],
    [90_000_000, "1 d 1 h"],
    [-5, "0 s"],
  ])("%s ms are said as %s", (milliseconds, words) => {
    expect(longSpan(milliseconds)).toBe(words);
  });

  test("a countdown ends at nought", () => {
    expect(countdown(872_000)).toBe("14:32");
    expect(countdown(1)).toBe("0:01");
    expect(countdown(-1)).toBe("0:00");
  });
});
