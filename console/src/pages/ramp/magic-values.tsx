import { mode } from "../../session/session.ts";

const values = {
  bank: [
    [
      "…0002, …0003, …0004, …0016, …0020, …0023",
      "ACH comes back with R02, R03, R04, R16, R20, R23",
    ],
    ["…0923", "ACH comes back with R23 after the return window"],
    ["…0099", "the bank refuses a wire at once"],
    ["…0098", "a wire is rejected on its way"],
    ["…0097", "a wire arrives and comes back"],
    ["…0105", "ACH is paid, and the account corrected"],
  ],
  wallet: [
    ["…beef", "transfers to it fail"],
    ["…dead", "it is sanctioned"],
    ["…fade", "the sanctions check does not answer"],
  ],
} as const;

const titles = { bank: "Account numbers", wallet: "Addresses" };

/** Endings that make the sandbox do something unusual; nothing in live mode. */
export function MagicValues({ of: kind }: { of: keyof typeof values }) {
  if (mode.value !== "sandbox") return null;
  return (
    <details className="rounded-md border border-dashed border-warn p-2">
      <summary className="py-0.5 text-xs text-warn">
        {titles[kind]} that make something go wrong, on purpose
      </summary>
      <ul className="mt-1 text-xs">
        {values[kind].map(([ending, meaning]) => (
          <li key={ending}>
            <code className="font-mono">{ending}</code>{" "}
            <span className="text-quiet">{meaning}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
