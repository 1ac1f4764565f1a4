import type { Area } from "../../shell/area.ts";

/** Develop. */
export const developerArea: Area = { name: "Develop", links: [], pages: [] };
