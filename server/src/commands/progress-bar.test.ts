import { expect, test } from "vitest";
import { manualClock } from "../../test/manual-clock.ts";
import { progressBar } from "./progress-bar.ts";

function screen(isTTY: boolean) {
  let text = "";
  const clock = manualClock();
  const write = (more: string) => {
    text += more;
  };
  const bar = progressBar("swaps", { isTTY, write }, clock);
  return { clock, bar, text: () => text };
}

test("in a terminal one line is drawn again and again, with an estimate", () => {
  const { clock, bar, text } = screen(true);
  bar.show(0, 200);
  clock.advance(1_000);
  bar.show(50, 200);
  bar.show(51, 200);
  clock.advance(3_000);
  bar.show(200, 200);
  bar.end();
  const frames = text().split("\r\x1b[K").slice(1);
  expect(frames).toEqual([
    `swaps ${"░".repeat(30)}   0 %  just begun`,
    `swaps ${"█".repeat(8)}${"░".repeat(22)}  25 %  3 s left`,
    `swaps ${"█".repeat(30)} 100 %  done\n`,
  ]);
});

test("without one there is a line for every tenth", () => {
  const { clock, bar, text } = screen(false);
  for (let done = 0; done <= 400; done++) {
    bar.show(done, 400);
    clock.advance(100);
  }
  bar.end();
  const lines = text().trim().split("\n");
  expect(lines).toHaveLength(11);
  expect(lines[5]).toBe("swaps: 50 %, 20 s left");
  expect(lines.at(-1)).toBe("swaps: 100 %, done");
});
