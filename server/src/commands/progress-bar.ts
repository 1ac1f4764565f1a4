import type { Clock } from "../lib/clock.ts";
import { barOf, estimator } from "../lib/progress.ts";

const drawEveryMs = 100;
const lineEveryPercent = 10;

export type ProgressBar = { show(done: number, total: number): void; end(): void };

/** A bar that is redrawn in a terminal, and a line for every tenth where there is none. */
export function progressBar(
  title: string,
  out: { isTTY?: boolean; write(text: string): unknown },
  clock: Clock,
): ProgressBar {
  const remaining = estimator(clock);
  let drawnAt = Number.NEGATIVE_INFINITY;
  let toldPercent = -lineEveryPercent;

  function draw(percent: number, rest: string): void {
    out.write(`\r\x1b[K${title} ${barOf(percent)} ${String(percent).padStart(3)} %  ${rest}`);
    drawnAt = clock.now();
  }

  function tell(percent: number, rest: string): void {
    if (percent - toldPercent < lineEveryPercent) return;
    toldPercent = percent - (percent % lineEveryPercent);
    out.write(`${title}: ${percent} %, ${rest}\n`);
  }

  function show(done: number, total: number): void {
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    const rest = restInWords(percent, remaining(done, total));
    if (!out.isTTY) tell(percent, rest);
    else if (percent === 100 || clock.now() - drawnAt >= drawEveryMs) draw(percent, rest);
  }

  return { show, end: () => void (out.isTTY && out.write("\n")) };
}

function restInWords(percent: number, left: string | undefined): string {
  if (percent === 100) return "done";
  return left ? `${left} left` : "just begun";
}
