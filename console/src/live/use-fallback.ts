import { live } from "./connection.ts";

const everyMs = 5_000;

/** How often to ask for what the stream would tell: not at all while it does. */
export function useFallback(): { everyMs?: number } {
  return live.state.value === "live" ? {} : { everyMs };
}
