import { SlipwayError, UnreachableError } from "@slipway/sdk";

/** What went wrong, in words for people. */
export function messageOf(error: unknown): string {
  if (error instanceof SlipwayError) return error.message;
  if (error instanceof UnreachableError) return "The service does not answer. Is it running?";
  return error instanceof Error ? error.message : String(error);
}
