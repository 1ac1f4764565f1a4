import type { ConfigLine } from "../../settings.ts";
import type { Finding, Report } from "./check.ts";

/** Shorter parts of an address are names, such as `v3` or `mainnet`, and occur in any text. */
const keyLeast = 16;
const secretLeast = 6;
const hidden = "***";

/** Takes whatever the settings call a secret out of the reports, in case a message of somebody else's repeats it. */
export function hideSecrets(
  reports: readonly Report[],
  lines: readonly Pick<ConfigLine, "value" | "isSecret">[],
): Report[] {
  const secrets = lines
    .filter(({ isSecret }) => isSecret)
    .flatMap(({ value }) => [value].flat())
    .flatMap((value) => (typeof value === "string" ? secretsIn(value) : []))
    .sort((one, other) => other.length - one.length);
  const hide = (text: string) => secrets.reduce((left, one) => left.replaceAll(one, hidden), text);
  return reports.map(({ name, findings }) => ({
    name,
    findings: findings.map((finding) => hideIn(finding, hide)),
  }));
}

function hideIn(finding: Finding, hide: (text: string) => string): Finding {
  if (finding.state === "ok") return { ...finding, what: hide(finding.what) };
  const { state, what, why, fix } = finding;
  return { state, what: hide(what), why: hide(why), fix: hide(fix) };
}

/** Of an address its password and keys are secret, of everything else all of it. */
function secretsIn(value: string): string[] {
  if (!value.includes("://") || !URL.canParse(value))
    return value.length >= secretLeast ? [value] : [];
  const { username, password, pathname, searchParams } = new URL(value);
  const parts = [username, ...pathname.split("/"), ...searchParams.values()];
  const secrets = parts.filter(({ length }) => length >= keyLeast);
  if (password.length >= secretLeast) secrets.push(password);
  return secrets.flatMap((part) => [part, decoded(part)]);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
