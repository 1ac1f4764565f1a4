import type { Area } from "../../shell/area.ts";

/** Markets. */
export const marketsArea: Area = { name: "Markets", links: [], pages: [] };
