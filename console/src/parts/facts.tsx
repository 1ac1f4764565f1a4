import { Fragment, type ReactNode } from "react";

/** Names and what they are, side by side. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt className="text-quiet">{name}</dt>
          <dd className="min-w-0 text-right break-words">{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** A figure that stands out, with its name above. */
export function Tile({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <div className="text-xs text-quiet">{name}</div>
      <div className="truncate text-lg font-semibold">{children}</div>
    </div>
  );
}
