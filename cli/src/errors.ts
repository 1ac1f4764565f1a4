import { SlipwayError, UnreachableError } from "@slipway/sdk";
import { CommanderError } from "commander";

/** What was typed cannot be meant. The command ends with 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** What was asked for did not work out. The command ends with 1; the message says what to do. */
export class CommandError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "CommandError";
  }
}

const expected = ["OperatorError", "UnavailableError", "CommandError", "UsageError", "CallerError"];

/** What to say about an error; nothing where it has been said. Bugs of ours are told with their stack. */
export function messageFor(error: unknown): string | undefined {
  if (error instanceof CommanderError) return undefined;
  if (error instanceof UnreachableError) return `${error.message}. ${howToReach}`;
  if (!(error instanceof Error)) return String(error);
  const isExpected = error instanceof SlipwayError || expected.includes(error.name);
  return isExpected ? error.message : error.stack;
}

/** What to do when nothing answers. */
export const howToReach =
  "Start the service with `slipway start`, or say where it listens with --url or SLIPWAY_URL.";

/** 0 for help that was asked for, 2 for what cannot be meant, 130 after Ctrl-C, else 1. */
export function exitCodeFor(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) return 2;
  return error instanceof Error && error.name === "AbortError" ? 130 : 1;
}
