import { signal } from "@preact/signals";

const tickMs = 1_000;
const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, tickMs);

/** The time, told once a second. */
export function useNow(): number {
  return now.value;
}
