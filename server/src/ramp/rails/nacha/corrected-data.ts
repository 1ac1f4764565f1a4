import type { BankDestination } from "../../ports.ts";

/** What a correction changes of a bank account. */
export type Corrected = Partial<
  Pick<BankDestination, "routingNumber" | "accountNumber" | "accountType">
>;

/** What a correction asks for; nothing when it is not about what we keep, or cannot be read. */
export function readCorrectedData(code: string, data: string): Corrected | undefined {
  throw new Error(`Not written yet: ${code} ${data}`);
}

/** Writes what a bank would put into a correction. */
export function writeCorrectedData(code: string, corrected: Corrected): string {
  throw new Error(`Not written yet: ${code} ${Object.keys(corrected)}`);
}
