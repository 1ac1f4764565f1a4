import { InvalidArgumentError } from "commander";

/** Reads an option that counts something. */
export function readWholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}

/** Puts the values of an option that may be given again together. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}
