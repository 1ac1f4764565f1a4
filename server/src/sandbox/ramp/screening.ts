import { UnavailableError } from "../../lib/errors.ts";
import type { Screening, Verdict } from "../../ramp/ports.ts";

/** Finds certain names and addresses sanctioned, and has no answer for certain others. */
export const sandboxScreening: Screening = {
  person: async (name) => verdict(/\bsanctioned\b/i.test(name), /\bunanswered\b/i.test(name)),
  wallet: async (_, address) => verdict(/dead$/i.test(address), /fade$/i.test(address)),
};

function verdict(isSanctioned: boolean, isUnanswered: boolean): Verdict {
  if (isUnanswered) throw new UnavailableError("The sandbox's screening does not answer.");
  return isSanctioned ? "sanctioned" : "clear";
}
