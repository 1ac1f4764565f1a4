import { millisecondsOf } from "../../lib/times.ts";
import { useNow } from "../../lib/use-now.ts";
import { mode } from "../../session/session.ts";
import { useAnswer } from "../../session/use-answer.ts";

/** The sandbox's key for what changes when its time is moved. */
export const clockKey = ["sandbox", "ramp clock"];

/** What time it is for the ramp: in the sandbox that is somebody's to move. */
export function useRampNow(): number {
  const now = useNow();
  const ahead = useAnswer({
    key: clockKey,
    isWanted: mode.value === "sandbox",
    ask: async (client) => millisecondsOf((await client.sandbox.clock()).now) - Date.now(),
  });
  return now + (ahead.data ?? 0);
}
