import { developerArea } from "../pages/developer/area.tsx";
import { marketsArea } from "../pages/markets/area.tsx";
import { operatorArea } from "../pages/operator/area.tsx";
import { rampArea } from "../pages/ramp/area.tsx";
import type { Area } from "./area.ts";

/** Everything there is in the console, in the order of the navigation. */
export const areas: readonly Area[] = [marketsArea, rampArea, operatorArea, developerArea];
