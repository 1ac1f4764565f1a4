import { SlipwayError, UnreachableError } from "@slipway/sdk";

/** Whether the service, or something between it and us, is only silent for now. */
export function passes(error: unknown): boolean {
  if (error instanceof UnreachableError) return true;
  return error instanceof SlipwayError && error.status >= 502 && error.status <= 504;
}

/** What went wrong, in words for people. */
export function messageOf(error: unknown): string {
  if (error instanceof SlipwayError) return error.message;
  if (error instanceof UnreachableError) return "The service does not answer. Is it running?";
  return error instanceof Error ? error.message : String(error);
}
