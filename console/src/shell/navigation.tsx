import { Link, useLocation } from "wouter";
import { mode } from "../session/session.ts";
import type { AreaLink } from "./area.ts";
import { areas } from "./areas.ts";

/** The pages by area; the one that is shown is marked. */
export function Navigation({ onChosen }: { onChosen?: () => void }) {
  const [location] = useLocation();
  const isShown = ({ isSandboxOnly }: AreaLink) => !isSandboxOnly || mode.value === "sandbox";
  return (
    <div className="grid gap-4">
      {areas.map(({ name, links }) => (
        <div key={name}>
          <div className="mb-1 px-2 text-xs font-semibold text-quiet uppercase">{name}</div>
          <ul>
            {links.filter(isShown).map((link) => (
              <li key={link.path}>
                <Link
                  href={link.path}
                  {...(onChosen ? { onClick: onChosen } : {})}
                  {...(location === link.path ? { "aria-current": "page" as const } : {})}
                  className="block rounded-md px-2 py-1 text-text no-underline! hover:bg-raised aria-[current=page]:bg-raised aria-[current=page]:font-semibold"
                >
                  {link.name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <ul className="border-t border-line pt-3">
        <li>
          <a href="/docs" className="block rounded-md px-2 py-1 text-text hover:bg-raised">
            API reference ↗
          </a>
        </li>
      </ul>
    </div>
  );
}
