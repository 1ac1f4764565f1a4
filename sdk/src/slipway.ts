// biome-ignore lint/performance/noBarrelFile: this is the package's one entry
export { Slipway } from "./client.ts";
export { SlipwayError } from "./errors.ts";
export type * from "./operator-client.ts";
export type * from "./operator-shapes.ts";
export type * from "./ramp-client.ts";
export type * from "./ramp-shapes.ts";
export type * from "./sandbox-client.ts";
export type * from "./shapes.ts";
export type * from "./stream-shapes.ts";
export type { PostOptions, SlipwayOptions } from "./transport.ts";
