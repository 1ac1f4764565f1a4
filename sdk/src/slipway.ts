// biome-ignore lint/performance/noBarrelFile: this is the package's one entry
export { Slipway, type SlipwayOptions } from "./client.ts";
export { SlipwayError } from "./errors.ts";
export type * from "./ramp-shapes.ts";
export type * from "./shapes.ts";
