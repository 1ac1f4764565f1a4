import type { Finding, Report } from "./check.ts";

type State = Finding["state"];

const severity: readonly State[] = ["ok", "warning", "broken"];
const stateWidth = 9;

/** Whether nothing is broken: warnings are for people, not for scripts. */
export function isWell(reports: readonly Report[]): boolean {
  return reports.every(({ findings }) => worst(findings) !== "broken");
}

/** The reports for people: a line for each thing, and below it why it matters and what to do. */
export function textOf(reports: readonly Report[]): string {
  const shown = reports.filter(({ findings }) => findings.length > 0);
  const nameWidth = Math.max(0, ...shown.map(({ name }) => name.length)) + 2;
  const margin = " ".repeat(stateWidth + nameWidth);
  const lines = shown.flatMap(({ name, findings }) =>
    findings.flatMap((finding) => {
      const first = `${finding.state.padEnd(stateWidth)}${name.padEnd(nameWidth)}${finding.what}`;
      if (finding.state === "ok") return [first];
      return [first, `${margin}${finding.why}`, `${margin}→ ${finding.fix}`];
    }),
  );
  return [...lines, "", summaryOf(reports)].join("\n");
}

/** The reports for programs. */
export function jsonOf(reports: readonly Report[]) {
  return {
    ok: isWell(reports),
    checks: reports
      .filter(({ findings }) => findings.length > 0)
      .map(({ name, findings }) => ({ name, state: worst(findings), findings })),
  };
}

function summaryOf(reports: readonly Report[]): string {
  const all = reports.flatMap(({ findings }) => findings);
  const count = (state: State) => all.filter((finding) => finding.state === state).length;
  return isWell(reports) && count("warning") === 0
    ? `All is well: ${all.length} things were looked at.`
    : `${count("broken")} broken, ${count("warning")} to look at, ${count("ok")} well.`;
}

function worst(findings: readonly Finding[]): State {
  return severity[Math.max(0, ...findings.map(({ state }) => severity.indexOf(state)))] ?? "ok";
}
