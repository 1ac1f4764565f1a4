import { build } from "./build.js";

build();
process.argv.splice(2, 0, "start");
await import("../cli/bin/slipway.js");
