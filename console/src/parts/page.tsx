import { type ReactNode, useContext, useEffect, useRef } from "react";
import { PageRequests } from "../session/page-requests.ts";
import { CurlButton } from "./curl-button.tsx";

type Props = { title: string; subtitle?: ReactNode; actions?: ReactNode; children: ReactNode };

/** A page: its heading, what can be done with it, and the requests behind it. */
export function Page({ title, subtitle, actions, children }: Props) {
  const requests = useContext(PageRequests);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Slipway`;
  }, [title]);
  // Whoever cannot see that the page changed hears its heading.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold outline-none">
            {title}
          </h1>
          {subtitle && <div className="text-quiet">{subtitle}</div>}
        </div>
        <div className="flex flex-wrap items-center gap-2 print:hidden">
          {actions}
          <CurlButton requests={requests} />
        </div>
      </div>
      {children}
    </>
  );
}
