#!/usr/bin/env node
import { existsSync } from "node:fs";

const built = new URL("../dist/slipway.js", import.meta.url);
if (!existsSync(built)) {
  process.stderr.write("slipway is not built yet. Run: npm run build\n");
  process.exit(1);
}
await import(built.href);
