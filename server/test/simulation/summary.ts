import { type FaultKind, faultKinds } from "./faults.ts";
import type { Ending } from "./simulate.ts";

/** What many stories came to. */
export type Summary = {
  add(ending: Ending): void;
  /** How often something was counted: a fault, `OFF_RAMP COMPLETED`, a kind of step. */
  readonly faults: ReadonlyMap<FaultKind, number>;
  readonly states: ReadonlyMap<string, number>;
  readonly steps: ReadonlyMap<string, number>;
  /** The stories in which something was wrong. */
  readonly failures: readonly Ending[];
  /** All of it in lines that people can read. */
  lines(): string[];
};

/** Counts what stories come to. */
export function openSummary(): Summary {
  const faults = new Map<FaultKind, number>(faultKinds.map((kind) => [kind, 0]));
  const states = new Map<string, number>();
  const steps = new Map<string, number>();
  const ends = new Map<string, number>();
  const failures: Ending[] = [];
  let stories = 0;
  const count = <Name>(counts: Map<Name, number>, name: Name, more = 1) =>
    counts.set(name, (counts.get(name) ?? 0) + more);

  return {
    ...{ faults, states, steps, failures },
    add(ending) {
      stories++;
      if (ending.wrong.length > 0) failures.push(ending);
      for (const [kind, times] of ending.faults) count(faults, kind, times);
      for (const end of ending.ends) count(ends, end);
      for (const { type, state, kind } of ending.taken) {
        count(states, `${type} ${state}`);
        count(steps, kind);
      }
    },
    lines: () => [
      `${stories} stories, ${failures.length} of them wrong`,
      ...section("steps", steps),
      ...section("states reached", states),
      ...section("where transactions ended", ends),
      ...section("faults", faults),
    ],
  };
}

function section(title: string, counts: ReadonlyMap<string, number>): string[] {
  const rows = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
  const sum = rows.reduce((total, [, times]) => total + times, 0);
  return [
    `\n${title}: ${sum}`,
    ...rows.map(([name, times]) => `  ${String(times).padStart(7)} ${name}`),
  ];
}

/** A story that went wrong: what is wrong, how to tell it again, and all that happened. */
export function tellFailure({ seed, wrong, trace }: Ending): string {
  return [
    `Seed ${seed} is wrong. To see it again: npm run simulate -- --seed ${seed}`,
    ...wrong.map((finding) => `  ${finding}`),
    "What happened:",
    ...trace.map((line) => `  ${line}`),
  ].join("\n");
}
