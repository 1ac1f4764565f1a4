import type { Log } from "../lib/log.ts";
import type { Bus } from "./bus.ts";
import { openThreadBus } from "./thread-bus.ts";

const space = "slipway";

/** NATS where it is configured, and then only is it loaded; threads otherwise. */
export async function openBus(natsUrl: string | undefined, log: Log): Promise<Bus> {
  if (!natsUrl) return openThreadBus(space);
  const { openNatsBus } = await import("./nats-bus.ts");
  return openNatsBus(natsUrl, space, log);
}
