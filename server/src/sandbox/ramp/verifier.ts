import type { Verification } from "../../accounts/store/users.ts";

/** Decides a verification by the e-mail address: `ada+approve@`, `+reject@`, `+review@`; others stay pending. */
export function sandboxVerdict(email: string): Verification {
  const [, wish] = /\+(approve|reject|review)@/i.exec(email) ?? [];
  return verdicts[wish?.toLowerCase() ?? ""] ?? "pending";
}

const verdicts: Record<string, Verification> = {
  approve: "approved",
  reject: "rejected",
  review: "review",
};
