import { magicValues } from "../../lib/magic-values.ts";
import { mode } from "../../session/session.ts";

const titles = { bank: "Account numbers", wallet: "Addresses" };

/** Endings that make the sandbox do something unusual; nothing in live mode. */
export function MagicValues({ of: kind }: { of: keyof typeof titles }) {
  if (mode.value !== "sandbox") return null;
  return (
    <details className="rounded-md border border-dashed border-warn p-2">
      <summary className="py-0.5 text-xs text-warn">
        {titles[kind]} that make something go wrong, on purpose
      </summary>
      <ul className="mt-1 text-xs">
        {magicValues[kind].map(({ value, meaning }) => (
          <li key={value}>
            <code className="font-mono">{value}</code> <span className="text-quiet">{meaning}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
