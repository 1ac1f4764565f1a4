import type { Verifier } from "../../accounts/verification.ts";

const verdicts = [
  { mark: "+approve@", status: "approved" },
  { mark: "+reject@", status: "rejected" },
  { mark: "+review@", status: "review" },
] as const;

/** Decides about accounts by their e-mail address, such as `ada+approve@example.com`; others wait for a person. */
export const sandboxVerifier: Verifier & { kind: "at_once" } = {
  kind: "at_once",
  decide({ email }) {
    const found = verdicts.find(({ mark }) => email.toLowerCase().includes(mark));
    return found && { status: found.status, reason: `The e-mail address contains ${found.mark}.` };
  },
};
