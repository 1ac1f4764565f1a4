import { retireKeys } from "../accounts/keys.ts";
import type { Bus } from "../bus/bus.ts";
import type { Database } from "../database/database.ts";
import { dueLoop, dueRunner } from "../database/due.ts";
import type { Clock } from "../lib/clock.ts";
import { assert } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { heartbeatEveryMs, heartbeats, type RoleName } from "./roles.ts";

export type RoleContext = { db: Database; bus: Bus; clock: Clock; log: Log };

const dueEveryMs = 500;

/** Does a role's work until the signal aborts. The API is not among them: it owns its process's main thread. */
export async function runRole(
  role: RoleName,
  context: RoleContext,
  signal: AbortSignal,
): Promise<void> {
  assert(role === "ramp", `the role ${role} does not run in the background`);
  const runners = [dueRunner(context, retireKeys)];
  await Promise.all([
    dueLoop({ ...context, runners, everyMs: dueEveryMs, signal }),
    beat(role, context, signal),
  ]);
}

async function beat(
  role: RoleName,
  { bus, clock }: RoleContext,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    bus.publish(heartbeats, { role });
    await clock.sleep(heartbeatEveryMs, signal);
  }
}
