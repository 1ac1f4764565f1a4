import { topic } from "../bus/bus.ts";

/** The parts of the service that can run in a thread or process of their own. */
export const roleNames = ["api", "cex", "dex", "ramp"] as const;

export type RoleName = (typeof roleNames)[number];

/** Roles that work in the background. The API is not among them: it owns its process's main thread. */
export type BackgroundRole = Exclude<RoleName, "api">;

/** Each role says that it is alive, so that health can tell a busy thread from a dead one. */
export const heartbeats = topic<{ role: RoleName }>("roles.heartbeat");
export const heartbeatEveryMs = 1_000;
