import { runSlipway } from "./program.ts";
import { processTerminal } from "./terminal.ts";

process.exitCode = await runSlipway(process.argv.slice(2), processTerminal());
