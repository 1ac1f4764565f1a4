import { topic } from "../bus/bus.ts";

/** The parts of the service that can run in a thread or process of their own. */
export const roleNames = ["api", "ramp"] as const;
export type RoleName = (typeof roleNames)[number];

/** Each role says that it is alive, so that health can tell a busy thread from a dead one. */
export const heartbeats = topic<{ role: RoleName }>("roles.heartbeat");
export const heartbeatEveryMs = 1_000;
