/** The API's form of a time: UTC with milliseconds and no zone, `2026-11-14T23:51:07.042`. */
export function timestamp(time: Date): string {
  return time.toISOString().slice(0, -1);
}
