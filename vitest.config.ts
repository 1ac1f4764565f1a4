import { defineConfig } from "vitest/config";
import { ClosingLine } from "./server/test/closing-line.ts";
import { LongestFirst } from "./server/test/longest-first.ts";

export default defineConfig({
  // Workspaces are tested from their sources, without building them first.
  ssr: { resolve: { conditions: ["source", "module", "node", "development|production"] } },
  test: {
    include: ["{sdk,server,cli,console}/{src,test}/**/*.test.ts"],
    globalSetup: "server/test/global-setup.ts",
    setupFiles: "server/test/each-file.ts",
    reporters: ["default", new ClosingLine()],
    // Tests wait for conditions, never for a time; these only end a wait that is hopeless.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    // One more than cores: tests often wait, for processes and for pages.
    maxWorkers: 3,
    // What has a condition named like ours for its own sources has to go through the same resolver.
    server: { deps: { inline: [/@modelcontextprotocol\/client/, /eventsource/] } },
    // Files share their worker's modules, which would take a quarter of the time to load for each anew.
    isolate: false,
  },
});
