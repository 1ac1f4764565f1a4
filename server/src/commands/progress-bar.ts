import type { Clock } from "../lib/clock.ts";
import { estimator } from "../lib/progress.ts";

const barLength = 30;
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

  function show(done: number, total: number): void {
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    const rest = done >= total ? "done" : `${remaining(done, total)} left`;
    if (!out.isTTY) {
      if (percent - toldPercent < lineEveryPercent) return;
      toldPercent = percent - (percent % lineEveryPercent);
      out.write(`${title}: ${percent} %, ${rest}\n`);
      return;
    }
    if (clock.now() - drawnAt < drawEveryMs && done < total) return;
    drawnAt = clock.now();
    const full = Math.round((barLength * percent) / 100);
    const bar = "█".repeat(full) + "░".repeat(barLength - full);
    out.write(`\r\x1b[K${title} ${bar} ${String(percent).padStart(3)} %  ${rest}`);
  }

  return { show, end: () => void (out.isTTY && out.write("\n")) };
}
