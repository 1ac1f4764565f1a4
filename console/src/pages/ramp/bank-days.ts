import { longSpan } from "./spans.ts";

const timeZone = "America/New_York";
const cutOffHour = 17;
const dayMs = 86_400_000;

const isoDay = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
const hourOfDay = new Intl.DateTimeFormat("en-US", {
  timeZone,
  hourCycle: "h23",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
});
const shownDay = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  weekday: "short",
  day: "numeric",
  month: "short",
});

/**
 * By when crypto has to be there so that its dollars still leave today: until 17:00 in New York on a day when banks work.
 * Which days these are the API knows: today is one if `sendDate` is today.
 */
export function cutOffWords(sendDate: string, now: number): string {
  if (sendDate !== newYorkDay(now)) return `sent on ${bankDay(sendDate)}`;
  return `sent today if your crypto is there within ${longSpan(untilCutOff(now))}`;
}

/** The date in New York, `2026-11-16`. */
export function newYorkDay(at: number): string {
  return isoDay.format(at);
}

/** A date as people say it: `Mon 16 Nov`. */
export function bankDay(date: string): string {
  // Engines do not agree on the comma.
  return shownDay.format(Date.parse(`${date}T00:00:00Z`)).replace(",", "");
}

/** Dates from when to when, or one of them if they are the same. */
export function bankDays({ earliest, latest }: { earliest: string; latest: string }): string {
  return earliest === latest ? bankDay(earliest) : `${bankDay(earliest)} to ${bankDay(latest)}`;
}

/** New York's clocks change at night, long before banks close: until then its hours are as long as ours. */
function untilCutOff(now: number): number {
  const parts = new Map(
    hourOfDay.formatToParts(now).map(({ type, value }) => [type, Number(value)]),
  );
  const [hour = 0, minute = 0, second = 0] = [
    parts.get("hour"),
    parts.get("minute"),
    parts.get("second"),
  ];
  const passed = ((hour * 60 + minute) * 60 + second) * 1_000;
  return Math.max(0, Math.min(dayMs, cutOffHour * 3_600_000 - passed));
}
