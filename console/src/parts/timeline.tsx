import type { ReactNode } from "react";
import { dateTime } from "../lib/times.ts";

export type Moment = {
  key: string;
  at: string;
  title: ReactNode;
  /** What there is to know about it; folded away. */
  detail?: ReactNode;
};

/** What happened, one thing after the other. */
export function Timeline({ moments }: { moments: readonly Moment[] }) {
  return (
    <ol className="border-l-2 border-line pl-4">
      {moments.map(({ key, at, title, detail }) => (
        <li key={key} className="relative pb-3 last:pb-0">
          <span
            aria-hidden="true"
            className="absolute top-1.5 -left-[1.4rem] size-2.5 rounded-full border-2 border-card bg-accent"
          />
          <div className="flex flex-wrap justify-between gap-x-4">
            <span className="font-medium">{title}</span>
            <time dateTime={at} className="text-xs text-quiet">
              {dateTime(at)}
            </time>
          </div>
          {detail && (
            <details>
              <summary className="text-xs text-quiet">Details</summary>
              {detail}
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}
