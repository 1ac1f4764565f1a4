/** A moment in Unix milliseconds; the API's own form is UTC without a zone. */
export function millisecondsOf(time: string | number): number {
  if (typeof time === "number") return time;
  return Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`);
}

const full = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "medium",
});
const hours = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });

/** Date and time here. */
export function dateTime(time: string | number): string {
  return full.format(millisecondsOf(time));
}

/** The time of the day here. */
export function timeOfDay(time: string | number): string {
  return hours.format(millisecondsOf(time));
}

/** The date here. */
export function dateOf(time: string | number): string {
  return day.format(millisecondsOf(time));
}

/** How long ago, in one word and one unit: `12 s`, `3 min`, `5 h`, `2 d`. */
export function ago(time: string | number, now: number): string {
  return span(Math.max(0, now - millisecondsOf(time)));
}

/** How long, in one unit. */
export function span(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129_600) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
