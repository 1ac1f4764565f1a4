import { expect, test } from "vitest";
import { newApiKey } from "../accounts/api-key.ts";
import { openLog } from "./log.ts";
import { systemRandom } from "./random.ts";
import { scrub } from "./scrub.ts";

test("no form of key survives", () => {
  const { key } = newApiKey("live", systemRandom);
  expect(scrub(`a ${key} b slp_sandbox_master c`)).toBe("a slp_*** b slp_*** c");
});

test.each([true, false])("a log line never holds a key (pretty: %s)", (pretty) => {
  const { key } = newApiKey("sandbox", systemRandom);
  const lines: string[] = [];
  const log = openLog({ level: "trace", pretty, write: (line) => void lines.push(line) });
  log.info({ key, deep: { url: `/x?apiKey=${key}` }, err: new Error(`bad ${key}`) }, `saw ${key}`);
  expect(lines.join("")).toContain("saw slp_***");
  expect(lines.join("")).not.toContain(key);
});
