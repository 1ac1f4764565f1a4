import type { NewBankAccount } from "@slipway/sdk";
import {
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from "libphonenumber-js/min";
import type { Holder } from "../store/bank-accounts.ts";
import { readCountry } from "./countries.ts";

const place = "billingDetails";
const usPostalCode = /^\d{5}(?:-?\d{4})?$/;
const otherPostalCode = /^[0-9A-Za-z][0-9A-Za-z -]{1,11}$/;

/** What phone numbers and postal codes must be, wherever they are from. */
export const phoneRule = "must be a phone number such as +1 212 555 0123";
export const postalCodeRule = "must have 2 to 12 letters, digits, spaces or dashes";

/** Whether a text may be a phone number in some country; without its `+` the country has to tell. */
export function mayBePhone(text: string): boolean {
  return text.trim().startsWith("+")
    ? readPhone(text, "US") !== undefined
    : /^\D*(?:\d\D*){5,15}$/.test(text);
}

/** Whether a text may be a postal code in some country. */
export function mayBePostalCode(text: string): boolean {
  return otherPostalCode.test(tidy(text));
}

/** Whom an account belongs to, tidied up; or everything that is wrong about it, in words. */
export function readHolder(given: NewBankAccount["billingDetails"]): Holder | { faults: string[] } {
  const country = readCountry(given.country);
  const phone = readPhone(given.phone, country?.code ?? "US");
  const postalCode = tidy(given.postalCode);
  const faults: string[] = [];
  if (!country) faults.push(`${place}.country is not a known country`);
  if (!phone) faults.push(`${place}.phone ${phoneRule}`);
  if (country?.code === "US" && !usPostalCode.test(postalCode)) {
    faults.push(`${place}.postalCode must have 5 or 9 digits, such as 10001 or 10001-1234`);
  } else if (!mayBePostalCode(postalCode)) {
    faults.push(`${place}.postalCode ${postalCodeRule}`);
  }
  if (!country || !phone || faults.length > 0) return { faults };
  return {
    city: tidy(given.city),
    country: country.word,
    line1: tidy(given.line1),
    line2: tidy(given.line2 ?? "") || null,
    province: tidy(given.province),
    fullName: tidy(given.fullName),
    phone,
    postalCode,
  };
}

/** In E.164: `+12125550123`. Only the length is checked, since numbering plans change faster than libraries. */
function readPhone(text: string, country: string): string | undefined {
  const defaultCountry: CountryCode = isSupportedCountry(country) ? country : "US";
  const phone = parsePhoneNumberFromString(text, { defaultCountry, extract: false });
  return phone?.isPossible() ? phone.number : undefined;
}

function tidy(text: string): string {
  return text.normalize("NFC").trim().replace(/\s+/g, " ");
}
