import type { ReactNode } from "react";

export type Tone = "plain" | "good" | "warn" | "bad";

const tones: Record<Tone, string> = {
  plain: "border-line text-quiet",
  good: "border-up text-up",
  warn: "border-warn text-warn",
  bad: "border-bad text-bad",
};

/** A short word about a state. */
export function Badge({ tone = "plain", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 whitespace-nowrap rounded-full border px-2 text-xs leading-5 ${tones[tone]}`}
    >
      {children}
    </span>
  );
}
