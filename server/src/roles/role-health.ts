import type { RoleHealth } from "@slipway/sdk";
import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../lib/clock.ts";
import type { Thread } from "../lib/thread.ts";
import { heartbeatEveryMs, heartbeats, type RoleName } from "./roles.ts";

const silentAfterMs = 5 * heartbeatEveryMs;

/** How every role is doing: our own threads by what we see, roles elsewhere by what we hear. */
export function watchRoles(bus: Bus, clock: Clock, threads: ReadonlyMap<RoleName, Thread>) {
  const heardAt = new Map<RoleName, number>();
  const startedAt = clock.now();
  bus.subscribe(heartbeats, ({ role }) => heardAt.set(role, clock.now()));

  function healthOf(role: RoleName): RoleHealth {
    const seen = threads.get(role)?.health() ?? { state: "running", restarts: 0, lastError: null };
    const isSilent = clock.now() - (heardAt.get(role) ?? startedAt) > silentAfterMs;
    return seen.state === "running" && isSilent ? { ...seen, state: "silent" } : seen;
  }

  return (): Record<string, RoleHealth> => {
    const roles = new Set([...threads.keys(), ...heardAt.keys()]);
    return Object.fromEntries([...roles].map((role) => [role, healthOf(role)]));
  };
}
