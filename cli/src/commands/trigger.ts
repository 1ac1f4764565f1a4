import type { Command } from "commander";
import type { Terminal } from "../terminal.ts";

/** Adds the command. */
export function addTriggerCommand(_program: Command, _terminal: Terminal): void {}
