const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long ago something was, or how long it takes, as people say it. */
export function inWords(ms: number): string {
  if (ms < 2 * minuteMs) return `${Math.round(ms / 1_000)} s`;
  if (ms < 2 * hourMs) return `${Math.round(ms / minuteMs)} min`;
  return ms < 2 * dayMs ? `${Math.round(ms / hourMs)} h` : `${Math.round(ms / dayMs)} days`;
}

const shownMost = 5;

/** A list that nobody gets tired of. */
export function someOf(names: readonly string[]): string {
  const more = names.length - shownMost;
  return more > 0 ? `${names.slice(0, shownMost).join(", ")} and ${more} more` : names.join(", ");
}

/** "1 wire", "2 wires". */
export function countOf(count: number, one: string): string {
  return `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
}
