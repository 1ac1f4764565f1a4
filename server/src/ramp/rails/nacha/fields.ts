import { assert } from "../../../lib/errors.ts";
import { BadFile } from "../file-exchange.ts";

/** A column of a record: where it stands, what it means, and how a value is written there and read back. */
type Field<Value> = {
  /** Positions count from 1, as in the rule book; both are inside. */
  from: number;
  to: number;
  meaning: string;
  /** What may stand there, in words. */
  form: string;
  /** Names and account numbers of people are not repeated in messages. */
  isPrivate: boolean;
  /** Exactly as many characters as there is room for, or the value is not right. */
  write(value: Value): string;
  /** Nothing when the characters are not in the form. */
  read(characters: string): Value | undefined;
};

type Fields = Readonly<Record<string, Field<unknown>>>;

/** What is to be told of a record; fields that always hold the same are left out. */
type Values<Told extends Fields> = {
  [Name in keyof Told as Told[Name] extends Field<null> ? never : Name]: Told[Name] extends Field<
    infer Value
  >
    ? Value
    : never;
};

/** One kind of line: its fields, from which it is both written and read. */
export type RecordType<Told extends Fields> = {
  fields: Told;
  write(values: Values<Told>): string;
  /** Throws `BadFile` for the first field that is not in its form. */
  read(line: Line): Values<Told>;
  /** What to throw when a field holds something else than it must, said in words. */
  fault(line: Line, name: keyof Told & string, must: string): BadFile;
  /** Throws `BadFile` for the first field that does not hold what it must. Where blanks stand is no matter. */
  mustHold(line: Line, must: Partial<Values<Told>>): void;
  /** Throws `BadFile` for the first field in which a line is not what it should be, to the last blank. */
  mustEqual(line: Line, expected: string): void;
};

/** What a kind of record holds. */
export type ValuesOf<Type> = Type extends RecordType<infer Told> ? Values<Told> : never;

/** A line of a file; the first has number 1. */
export type Line = { number: number; text: string };

/** How many characters every record has. */
export const recordLength = 94;

/** A kind of record from its fields, which must follow each other without gaps. */
export function recordType<Told extends Fields>(fields: Told): RecordType<Told> {
  const columns = Object.entries(fields);
  checkColumns(columns);
  return {
    fields,
    write(values) {
      const given = new Map<string, unknown>(Object.entries(values));
      return columns.map(([name, field]) => written(name, field, given.get(name) ?? null)).join("");
    },
    read(line) {
      const values = columns
        .map(([name, field]) => [name, valueAt(line, name, field)])
        .filter(([, value]) => value !== null);
      return Object.fromEntries(values) as Values<Told>;
    },
    fault(line, name, must) {
      const field = fields[name];
      assert(field, `${name} is a field`);
      return faultOf(line, name, field, must);
    },
    mustHold(line, must) {
      for (const [name, field] of columns) {
        if (!Object.hasOwn(must, name)) continue;
        const characters = field.write(Reflect.get(must, name));
        if (charactersOf(field, line.text).trim() !== characters.trim())
          throw faultOf(line, name, field, JSON.stringify(characters));
      }
    },
    mustEqual(line, expected) {
      for (const [name, field] of columns) {
        const characters = charactersOf(field, expected);
        if (charactersOf(field, line.text) !== characters)
          throw faultOf(line, name, field, JSON.stringify(characters));
      }
    },
  };
}

/** Always the same characters. */
export function fixed(from: number, to: number, characters: string, meaning: string): Field<null> {
  return {
    ...column(from, to, meaning),
    form: JSON.stringify(characters),
    write: () => characters,
    read: (found) => (found === characters ? null : undefined),
  };
}

/** Left blank when we write; what others put there is nothing to us. */
export function unused(from: number, to: number, meaning: string): Field<null> {
  return {
    ...column(from, to, meaning),
    form: "blank",
    write: () => " ".repeat(to - from + 1),
    read: () => null,
  };
}

/** A whole number with zeros before it. */
export function numeric(from: number, to: number, meaning: string): Field<bigint> {
  const length = to - from + 1;
  return {
    ...column(from, to, meaning),
    form: `${length} digits`,
    write: (value) => (value < 0n ? "" : String(value).padStart(length, "0")),
    read: (found) => (/^\d+$/.test(found) ? BigInt(found) : undefined),
  };
}

/** Digits that name something: all of them are needed. */
export function digits(from: number, to: number, meaning: string): Field<string> {
  return {
    ...column(from, to, meaning),
    form: `${to - from + 1} digits`,
    write: (value) => (/^\d+$/.test(value) ? value : ""),
    read: (found) => (/^\d+$/.test(found) ? found : undefined),
  };
}

/** Text with blanks after it; blanks around it do not belong to it. */
export function text(from: number, to: number, meaning: string): Field<string> {
  const length = to - from + 1;
  return {
    ...column(from, to, meaning),
    form: `up to ${length} characters without blanks around them`,
    write: (value) => (value === value.trim() ? value.padEnd(length) : ""),
    read: (found) => found.trim(),
  };
}

/** Text that fills its room; blanks belong to it. */
export function whole(from: number, to: number, meaning: string): Field<string> {
  return {
    ...column(from, to, meaning),
    form: `${to - from + 1} characters`,
    write: (value) => value,
    read: (found) => found,
  };
}

/** A field whose content belongs to a person. */
export function hidden<Value>(field: Field<Value>): Field<Value> {
  return { ...field, isPrivate: true };
}

const column = (from: number, to: number, meaning: string) => ({
  from,
  to,
  meaning,
  isPrivate: false,
});

function checkColumns(columns: readonly [string, Field<unknown>][]): void {
  let next = 1;
  for (const [name, { from, to }] of columns) {
    assert(from === next && to >= from, `${name} begins at ${next}`);
    next = to + 1;
  }
  assert(next === recordLength + 1, `a record ends at ${recordLength}, not at ${next - 1}`);
}

function written(name: string, field: Field<unknown>, value: unknown): string {
  const characters = field.write(value);
  const isFull = characters.length === field.to - field.from + 1;
  assert(isFull && isPlain(characters), `${wordsOf(name)} takes ${field.form}`);
  return characters;
}

/** Printable ASCII without small letters. */
const isPlain = (characters: string) => /^[ -`{-~]*$/.test(characters);

function valueAt(line: Line, name: string, field: Field<unknown>): unknown {
  const value = field.read(charactersOf(field, line.text));
  if (value === undefined) throw faultOf(line, name, field, field.form);
  return value;
}

function faultOf(line: Line, name: string, field: Field<unknown>, must: string): BadFile {
  const is = JSON.stringify(charactersOf(field, line.text));
  const why = field.isPrivate ? "is not as it must be" : `is ${is}, must be ${must}`;
  return new BadFile(`line ${line.number}, ${wordsOf(name)}`, why);
}

const charactersOf = ({ from, to }: Field<unknown>, line: string) => line.slice(from - 1, to);

/** `entryHash` is read as `entry hash`. */
const wordsOf = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
