import { describe, expect, test } from "vitest";
import { advance } from "../src/ramp/machine/advance.ts";
import type { StepKind } from "../src/ramp/step.ts";
import type { Ramp, State } from "../src/ramp/transaction.ts";
import { showMoves, stepKinds, stepOf, type Told, tell } from "./ramp-scene.ts";

/** What is unusual about a step, by the word that follows its kind in a table. */
const variants = {
  "deposit_seen another": { kind: "deposit_seen", depositId: "dep-2" },
  "deposit_final another": { kind: "deposit_final", depositId: "dep-2" },
  "held sanctioned": { kind: "held", reason: "sanctioned" },
  "held recalled": { kind: "held", reason: "recalled" },
  "held liquidity": { kind: "held", reason: "liquidity" },
} as const satisfies Record<string, Told>;

type Line = { text: string; from: State; told: Told; to: string; moves: string; events: string };

/**
 * Runs a table in which one line says: in this state, this happens; then it stands there | what has moved | what is
 * told. Whatever has no line must be impossible.
 */
export function runTable<S extends State>(
  ramp: Ramp,
  stories: Record<S, readonly Told[]>,
  table: string,
): void {
  const lines = table.trim().split("\n").map(readLine);
  const reach = (state: State) => tell(ramp, ...(stories[state as S] ?? [])).ramp;

  test.each(lines)("$text", ({ from, told, to, moves, events }) => {
    const before = reach(from);
    expect(before.state).toBe(from);
    const { step, at } = stepOf(before, told);
    const next = advance(before, step, at);
    const seen =
      typeof next === "string"
        ? { to: next, moves: "", events: "" }
        : { to: next.ramp.state, moves: showMoves(next.moves), events: next.events.join(", ") };
    expect(seen).toEqual({ to, moves, events });
  });

  describe("nothing else happens", () => {
    test.each(Object.keys(stories) as S[])("to what is %s", (state) => {
      const listed = lines.filter(({ from }) => from === state).map(({ told }) => kindOf(told));
      const before = reach(state);
      const possible = stepKinds.filter((kind) => {
        const { step, at } = stepOf(before, kind);
        return !listed.includes(kind) && advance(before, step, at) !== "impossible";
      });
      expect(possible).toEqual([]);
    });
  });
}

function readLine(text: string): Line {
  const [change = "", moves = "", events = ""] = text.split("|").map((part) => part.trim());
  const [, from = "", name = "", to = ""] = /^(\w+) \+ ([\w ]+?) +-> (\w+)$/.exec(change) ?? [];
  if (!to) throw new Error(`Not a line of the table: ${text}`);
  const told = name in variants ? variants[name as keyof typeof variants] : (name as StepKind);
  return { text: text.trim(), from: from as State, told, to, moves, events };
}

const kindOf = (told: Told): StepKind => (typeof told === "string" ? told : told.kind);
