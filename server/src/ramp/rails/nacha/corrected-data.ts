import { assert } from "../../../lib/errors.ts";
import { routingNumberFault } from "../../banking/routing-number.ts";
import type { BankDestination } from "../../ports.ts";
import { paymentCodes } from "./write-file.ts";

/** What a correction changes of a bank account. */
export type Corrected = Partial<
  Pick<BankDestination, "routingNumber" | "accountNumber" | "accountType">
>;

/** How many characters a correction has room for. */
const room = 29;
const accountForm = /^[0-9A-Z]{4,17}$/;

type Column = { part: keyof Corrected; from: number };
const at = (part: keyof Corrected, from: number): Column => ({ part, from });

/** What each code corrects, and the position at which it begins. Other codes change nothing that we keep. */
const columns: ReadonlyMap<string, readonly Column[]> = new Map([
  ["C01", [at("accountNumber", 1)]],
  ["C02", [at("routingNumber", 1)]],
  ["C03", [at("routingNumber", 1), at("accountNumber", 13)]],
  ["C05", [at("accountType", 1)]],
  ["C06", [at("accountNumber", 1), at("accountType", 21)]],
  ["C07", [at("routingNumber", 1), at("accountNumber", 10), at("accountType", 27)]],
]);

/** How each part is read; nothing when it is not what it should be. */
const readers: {
  readonly [Part in keyof Corrected]-?: (text: string) => Corrected | undefined;
} = {
  routingNumber: (text) =>
    routingNumberFault(text) === undefined ? { routingNumber: text } : undefined,
  accountNumber(text) {
    const accountNumber = text.replace(/[ -]/g, "").toUpperCase();
    return accountForm.test(accountNumber) ? { accountNumber } : undefined;
  },
  accountType(text) {
    if (!/^[23]\d$/.test(text)) return undefined;
    return { accountType: text.startsWith("2") ? "checking" : "savings" };
  },
};

/** What a correction asks for; nothing when it is not about what we keep, or cannot be read. */
export function readCorrectedData(code: string, data: string): Corrected | undefined {
  const parts = columns.get(code);
  if (!parts) return undefined;
  const corrected: Corrected = {};
  for (const [index, { part, from }] of parts.entries()) {
    // Up to where the next part begins: some banks move a part to the right end of its room.
    const next = parts[index + 1]?.from ?? room + 1;
    const read = readers[part](data.slice(from - 1, next - 1).trim());
    if (!read) return undefined;
    Object.assign(corrected, read);
  }
  return corrected;
}

/** Writes what a bank would put into a correction: blanks for a code that changes nothing that we keep. */
export function writeCorrectedData(code: string, corrected: Corrected): string {
  const parts = columns.get(code) ?? [];
  const data = parts.reduce((before, { part, from }) => {
    const value = part === "accountType" ? codeOf(corrected) : corrected[part];
    return before.padEnd(from - 1) + (value ?? "").toUpperCase();
  }, "");
  const written = data.padEnd(room);
  const isRight = parts.length === 0 || readCorrectedData(code, written) !== undefined;
  assert(isRight && written.length === room, `${code} says ${parts.map(({ part }) => part)}`);
  return written;
}

const codeOf = ({ accountType }: Corrected): string | undefined =>
  accountType && paymentCodes[accountType];
