import { SlipwayError } from "@slipway/sdk";
import { messageOf } from "../../session/message-of.ts";

export type Faults<Name extends string> = {
  /** What is wrong with a field, under its name. */
  at: Partial<Record<Name, string>>;
  /** What belongs to no field. */
  rest: string[];
};

/** Sorts what the API refused to the fields it names. The last part of a path is enough: `billingDetails.city`. */
export function faultsOf<Name extends string>(
  error: unknown,
  names: readonly Name[],
): Faults<Name> {
  const faults: Faults<Name> = { at: {}, rest: [] };
  if (!error) return faults;
  const messages = error instanceof SlipwayError ? error.messages : [messageOf(error)];
  for (const message of messages) {
    const name = fieldIn(message, names);
    if (name === undefined) faults.rest.push(message);
    else faults.at[name] ??= message;
  }
  return faults;
}

/** A refusal begins with the field it is about, or ends with the one that is missing. */
function fieldIn<Name extends string>(message: string, names: readonly Name[]): Name | undefined {
  const path =
    /^Required field is missing: ([\w.]+)/.exec(message)?.[1] ?? /^[\w.]+/.exec(message)?.[0];
  const last = path?.split(".").at(-1);
  return names.find((name) => name === last);
}
