import { describe, expect, test } from "vitest";
import { planStops } from "./stops.ts";

const completeUntil = Number.POSITIVE_INFINITY;
const row = (id: string, dueAt: number, mark = "1") => ({ id, mark, dueAt });
const minute = 60_000;

describe("time on its way", () => {
  test("does not stop when nothing falls due", () => {
    expect(planStops()({ rows: [], completeUntil })).toBeUndefined();
  });

  test("stops where the next thing falls due, again and again while something happens", () => {
    const nextStop = planStops();
    expect(nextStop({ rows: [row("a", 5), row("b", 7)], completeUntil })).toBe(5);
    expect(nextStop({ rows: [row("b", 7), row("a", 8, "2")], completeUntil })).toBe(7);
    expect(nextStop({ rows: [row("a", 8, "2")], completeUntil })).toBe(8);
    expect(nextStop({ rows: [row("a", 9, "3")], completeUntil })).toBe(9);
  });

  test("stops ever more rarely for what is only put off, up to once a day", () => {
    const nextStop = planStops();
    let now = 0;
    const waits = Array.from({ length: 14 }, () => {
      const before = now;
      now = nextStop({ rows: [row("a", now + 1)], completeUntil }) ?? 0;
      return (now - before) / minute;
    });
    expect(waits.slice(1, 5)).toEqual([1, 2, 4, 8]);
    expect(waits.slice(-2)).toEqual([24 * 60, 24 * 60]);
  });

  test("stops in time for others while something is put off", () => {
    const nextStop = planStops();
    expect(nextStop({ rows: [row("a", 1)], completeUntil })).toBe(1);
    expect(nextStop({ rows: [row("a", 2), row("b", 3)], completeUntil })).toBe(3);
    expect(nextStop({ rows: [row("a", 4)], completeUntil })).toBe(1 + minute);
  });

  test("never goes beyond what it knows of", () => {
    const nextStop = planStops();
    expect(nextStop({ rows: [row("a", 1)], completeUntil: 1 })).toBe(1);
    expect(nextStop({ rows: [row("a", 2)], completeUntil: 2 })).toBe(2);
  });
});
