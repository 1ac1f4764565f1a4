import { CallerError } from "../../lib/errors.ts";
import { countDecimals, formatDecimal, parseDecimal, readQuantity } from "../../lib/money.ts";
import { checkAddress } from "../../ramp/addresses/check-address.ts";
import type { Blockchain } from "../../ramp/blockchains.ts";

type Fault = { fault: string };

/** Reads an amount in the smallest unit of its currency, or says in words what is wrong with it. */
export function readAmount(
  field: string,
  given: string | number,
  { name, decimals, most }: { name: string; decimals: number; most?: bigint },
): { value: bigint } | Fault {
  const read = readQuantity(given);
  if ("fault" in read) return { fault: `${field} ${read.fault}` };
  const value = parseDecimal(read.text, decimals);
  if (value === undefined)
    return {
      fault: `${field} has ${countDecimals(read.text)} decimals; ${name} allows ${decimals}`,
    };
  if (value === 0n) return { fault: `${field} must be more than 0` };
  return most !== undefined && value > most
    ? { fault: `${field} must be at most ${formatDecimal(most, decimals)}` }
    : { value };
}

/** Reads an address of a blockchain, or says in words what is wrong with it. */
export function readAddress(
  field: string,
  blockchain: Blockchain,
  given: string,
): { address: string } | Fault {
  const read = checkAddress(blockchain, given);
  // Its sentences begin with the name that the field has for wallets.
  return "fault" in read ? { fault: read.fault.replace(/^address/, field) } : read;
}

/** The refusal that names everything that is wrong with what was read. */
export function refusalOf(...read: readonly object[]): CallerError {
  const faults = read.flatMap((one) => ("fault" in one ? [String(one.fault)] : []));
  const [first = "The request is not valid.", ...rest] = faults;
  return new CallerError("bad_request", first, ...rest);
}
