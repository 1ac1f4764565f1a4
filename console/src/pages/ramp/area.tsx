import type { Area } from "../../shell/area.ts";

/** Ramp. */
export const rampArea: Area = { name: "Ramp", links: [], pages: [] };
