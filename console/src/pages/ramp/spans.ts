/** How long, to the minute: `2 h 14 min`, `3 d 4 h`, `45 s`. */
export function longSpan(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return joined(days, "d", hours % 24, "h");
  if (hours > 0) return joined(hours, "h", minutes % 60, "min");
  return minutes > 0 ? `${minutes} min` : `${seconds} s`;
}

/** What is left, as a clock counts it down: `14:32`. */
export function countdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return `${large} ${largeUnit}${small > 0 ? ` ${small} ${smallUnit}` : ""}`;
}
