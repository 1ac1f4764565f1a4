import { isDeepStrictEqual } from "node:util";
import { BadFile } from "../src/ramp/rails/file-exchange.ts";
import { correctionAddenda, returnAddenda } from "../src/ramp/rails/nacha/addenda.ts";
import { batchControl } from "../src/ramp/rails/nacha/batch-control.ts";
import { batchHeader } from "../src/ramp/rails/nacha/batch-header.ts";
import { entryDetail } from "../src/ramp/rails/nacha/entry-detail.ts";
import { fileControl } from "../src/ramp/rails/nacha/file-control.ts";
import { fileHeader } from "../src/ramp/rails/nacha/file-header.ts";

/** Which damage was not refused, and in which fields it was: `6 amount` is the amount of a record 6. */
type Unrefused = Record<"different" | "same", string[]>;

/** What is left of a file, and the first and the last position that were changed. */
type Damage = { positions: [number, number]; text: string };

const recordTypes: [start: string, fields: Readonly<Record<string, Column>>][] = [
  ["1", fileHeader.fields],
  ["5", batchHeader.fields],
  ["6", entryDetail.fields],
  ["798", correctionAddenda.fields],
  ["799", returnAddenda.fields],
  ["8", batchControl.fields],
  ["9", fileControl.fields],
];
type Edit = [line: number, from: number, characters: string];
type Column = { from: number; to: number };

/** Damages a file in every way that one character can be, and says what a reader did not refuse. */
export function readDamaged(bytes: Buffer, read: (bytes: Buffer) => unknown): Unrefused {
  const text = bytes.toString("latin1");
  const original = read(bytes);
  const found = { different: new Set<string>(), same: new Set<string>() };
  for (const damage of damagesOf(text)) {
    const outcome = outcomeOf(Buffer.from(damage.text, "latin1"), read, original);
    if (outcome !== "refused") found[outcome].add(fieldOf(text, damage));
  }
  return { different: [...found.different], same: [...found.same] };
}

/** Lines with other characters in some places, as one text. */
export function changed(lines: readonly string[], ...edits: Edit[]): string {
  const all = [...lines];
  for (const [line, from, characters] of edits) {
    const old = all[line - 1] ?? "";
    all[line - 1] = old.slice(0, from - 1) + characters + old.slice(from - 1 + characters.length);
  }
  return all.join("\n");
}

/** The characters of a line by the names of its fields. */
export function columnsOf(
  fields: Readonly<Record<string, Column>>,
  line: string | undefined,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { from, to }]) => [name, line?.slice(from - 1, to) ?? ""]),
  );
}

/** Other characters, one less, one more, the rest missing, and two swapped. */
function* damagesOf(text: string): Generator<Damage> {
  for (const [position, character] of [...text].entries()) {
    const before = text.slice(0, position);
    const after = text.slice(position + 1);
    const others = ["0", "3", "A", " ", "\n"].filter((other) => other !== character);
    for (const other of [...others, "", character + character])
      yield { positions: [position, position], text: before + other + after };
    yield { positions: [position, position], text: before };
    const next = after[0] ?? character;
    if (next !== character)
      yield {
        positions: [position, position + 1],
        text: before + next + character + after.slice(1),
      };
  }
}

function outcomeOf(bytes: Buffer, read: (bytes: Buffer) => unknown, original: unknown) {
  try {
    return isDeepStrictEqual(read(bytes), original) ? "same" : "different";
  } catch (error) {
    if (error instanceof BadFile) return "refused";
    throw error;
  }
}

function fieldOf(text: string, { positions }: Damage): string {
  const [first, last] = positions.map((position) => fieldAt(text, position));
  return first !== undefined && first === last ? first : "between two fields";
}

function fieldAt(text: string, position: number): string {
  const start = text.lastIndexOf("\n", position - 1) + 1;
  const column = position - start + 1;
  const line = text.slice(start);
  const [type = "", fields = {}] = recordTypes.find(([first]) => line.startsWith(first)) ?? [];
  const [name] =
    Object.entries(fields).find(([, { from, to }]) => column >= from && column <= to) ?? [];
  return `${type} ${name ?? "end of the line"}`;
}
