import { type ReactNode, useId } from "react";

type Props = { title?: ReactNode; actions?: ReactNode; className?: string; children: ReactNode };

/** A part of a page, with a heading. */
export function Card({ title, actions, className = "", children }: Props) {
  const heading = useId();
  return (
    <section
      className={`min-w-0 rounded-lg border border-line bg-card p-4 ${className}`}
      {...(title ? { "aria-labelledby": heading } : {})}
    >
      {(title || actions) && (
        <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
          {title && (
            <h2 id={heading} className="font-semibold">
              {title}
            </h2>
          )}
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}
