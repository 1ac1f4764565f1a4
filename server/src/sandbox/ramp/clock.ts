import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { findAdvance, raiseAdvance, sandboxClockChanges } from "../store/clock.ts";

/** The ramp's clock in the sandbox: ahead of the real one by what was asked for. It never goes back. */
export type SandboxClock = Clock & {
  /** How far it is ahead of the real one. */
  aheadMs(): number;
  /** Moves the time forward to `at`, for every process; an earlier time changes nothing. */
  advanceTo(at: number): Promise<void>;
};

/** Opens the clock. Waiting takes real time, whatever the clock shows. */
export async function openSandboxClock(db: Database, real: Clock): Promise<SandboxClock> {
  let advanceMs = 0;
  let latest = 0;
  const raise = (ms: number) => {
    advanceMs = Math.max(advanceMs, ms);
  };
  const refresh = async () => raise(await findAdvance(db));
  await db.listen(sandboxClockChanges, (payload) => {
    if (payload) raise(Number(payload));
    // Some may have been missed. When the database is gone, the next connection comes here again.
    else refresh().catch(() => {});
  });
  await refresh();

  return {
    now() {
      latest = Math.max(latest, real.now() + advanceMs);
      return latest;
    },
    aheadMs: () => advanceMs,
    sleep: real.sleep,
    async advanceTo(at) {
      raise(await raiseAdvance(db, at - real.now()));
    },
  };
}
