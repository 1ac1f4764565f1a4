import { millisecondsOf } from "../../lib/times.ts";
import { useNow } from "../../lib/use-now.ts";
import { mode } from "../../session/session.ts";
import { useAnswer } from "../../session/use-answer.ts";

/** What time it is for the ramp: in the sandbox that is somebody's to move. */
export function useRampNow(): number {
  const now = useNow();
  const ahead = useAnswer({
    key: ["sandbox", "ramp clock"],
    isWanted: mode.value === "sandbox",
    ask: async (client) => millisecondsOf((await client.sandbox.clock()).now) - Date.now(),
  });
  return now + (ahead.data ?? 0);
}
