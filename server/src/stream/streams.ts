import type { Registry } from "@platformatic/prom-client";
import type { App } from "../http/app.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { type StreamContext, streamEndpoints } from "./endpoints.ts";
import { openHub } from "./hub.ts";
import { watchEvents } from "./sources/event-watch.ts";
import { watchIndexTables } from "./sources/index-watch.ts";
import { addUpgrades } from "./websocket.ts";

/** Live data for whoever listens. */
export type Streams = {
  endpoints: readonly Endpoint[];
  addMetrics(registry: Registry): void;
  /** Lets WebSockets in, and ends every stream when the app closes. */
  addTo(app: App): void;
};

/** Opens the streams. While nobody listens, nothing is done. */
export function openStreams(context: Omit<StreamContext, "hub" | "indexes" | "events">): Streams {
  const hub = openHub(context);
  const events = watchEvents(context);
  const indexes = watchIndexTables(context);
  return {
    endpoints: streamEndpoints({ ...context, hub, events, indexes }),
    addMetrics: hub.addMetrics,
    addTo(app) {
      addUpgrades(app);
      app.addHook("preClose", async () => {
        hub.close();
        events.close();
      });
    },
  };
}
