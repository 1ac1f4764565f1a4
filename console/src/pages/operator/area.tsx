import type { Area } from "../../shell/area.ts";

/** Operate. */
export const operatorArea: Area = { name: "Operate", links: [], pages: [] };
