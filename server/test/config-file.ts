import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./test-service.ts";

/** Puts a configuration file into a new data folder, and returns the environment that leads there. */
export function writeConfig(
  content: string | object,
  name = "slipway.yaml",
): { SLIPWAY_DATA: string } {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, name),
    typeof content === "string" ? content : JSON.stringify(content),
  );
  return { SLIPWAY_DATA: folder };
}
