// biome-ignore-all lint/performance/noBarrelFile: this is the package's one entry

export type * from "./account-client.ts";
export type * from "./account-shapes.ts";
export type * from "./cex-client.ts";
export { analyticsClient, cexClient } from "./cex-client.ts";
export { healthOf, Slipway } from "./client.ts";
export type * from "./dex-client.ts";
export { dexClient } from "./dex-client.ts";
export { SlipwayError, UnreachableError } from "./errors.ts";
export type { Listing } from "./listing.ts";
export type * from "./operator-client.ts";
export { operatorClient } from "./operator-client.ts";
export type * from "./operator-shapes.ts";
export type * from "./ramp-client.ts";
export { rampClient } from "./ramp-client.ts";
export type * from "./ramp-shapes.ts";
export type * from "./sandbox-client.ts";
export { sandboxClient } from "./sandbox-client.ts";
export type * from "./shapes.ts";
export type { StreamOptions } from "./stream.ts";
export { openStream, SlipwayStream } from "./stream.ts";
export type { BookOutcome } from "./stream-book.ts";
export { StreamBook } from "./stream-book.ts";
export type * from "./stream-shapes.ts";
export type { Surroundings } from "./surroundings.ts";
export type {
  CallOptions,
  PostOptions,
  SlipwayOptions,
  Transport,
} from "./transport.ts";
export { openTransport } from "./transport.ts";
export type { ReceivedHeaders, ReceivedWebhook } from "./webhook.ts";
export { verifyWebhook, WebhookError } from "./webhook.ts";
