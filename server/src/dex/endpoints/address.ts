import { Type } from "typebox";
import { CallerError } from "../../lib/errors.ts";

const form = "^0[xX][0-9a-fA-F]{40}$";
const rule = "must be an address: 0x and 40 hexadecimal digits, in any case";

/** An address in a query. */
export const Address = Type.String({ pattern: form, description: rule });

/** An address in a path; `addressBytes` checks it. */
export const AddressParam = Type.String({ description: "0x and 40 hexadecimal digits" });

/** The bytes of the address that was given as `name`. What is none is 400. */
export function addressBytes(name: string, text: string): Buffer {
  if (!new RegExp(form).test(text)) throw new CallerError("bad_request", `${name} ${rule}`);
  return Buffer.from(text.slice(2), "hex");
}

/** Bytes as answers write them. */
export function addressText(bytes: Buffer): `0x${string}` {
  return `0x${bytes.toString("hex")}`;
}
