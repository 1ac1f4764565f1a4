const toTheHour = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

/** A place on a chart's axis of time, in words; the argument is Unix seconds. */
export function utcTime(seconds: number): string {
  return `${toTheHour.format(seconds * 1_000)} UTC`;
}
