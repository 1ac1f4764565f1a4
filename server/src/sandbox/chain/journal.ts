import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { Hex } from "../../chains/hex.ts";

/** What a chain begins with. Everything else follows from it and from the blocks. */
export type Beginning = {
  seed: number;
  /** Time of block 0, in Unix seconds. */
  genesisTime: number;
  /** Until when history is made up, in Unix seconds. */
  historyEnd: number;
  /** How far apart the blocks of history are, on average. */
  historyBlockSeconds: number;
};

/** A transaction as it can be sent again: signed, or on behalf of an address that nobody has the key of. */
export type KeptTransaction = Hex | { impersonated: Record<string, unknown> };

/** All it takes to mine a block again, and the hash that it must then have. */
export type KeptBlock = { time: number; hash: Hex; transactions: KeptTransaction[] };

/** A file to which every block is added as it is mined. */
export type Journal = {
  beginning: Beginning;
  /** The blocks that were in the file when it was opened, from block 1 on. */
  blocks: readonly KeptBlock[];
  append(block: KeptBlock): void;
  /** Forgets all blocks above a number. */
  backTo(number: number): void;
  close(): void;
};

/** Counts how often the founding of the chain has changed: a chain of another founding is not gone on with. */
const version = 1;

const hex = Type.Unsafe<Hex>(Type.String({ pattern: "^0x[0-9a-f]*$" }));
const BeginningLine = Compile(
  Type.Object({
    version: Type.Literal(version),
    seed: Type.Integer(),
    genesisTime: Type.Integer(),
    historyEnd: Type.Integer(),
    historyBlockSeconds: Type.Number(),
  }),
);
const Entry = Compile(
  Type.Union([
    Type.Object({
      time: Type.Integer(),
      hash: hex,
      transactions: Type.Array(
        Type.Union([
          hex,
          Type.Object({ impersonated: Type.Record(Type.String(), Type.Unknown()) }),
        ]),
      ),
    }),
    Type.Object({ backTo: Type.Integer() }),
  ]),
);

/**
 * Opens the journal of a chain, or begins one. Whatever cannot be read at its end is cut off: a line that was being
 * written when the process was killed, and all that follows it.
 */
export function openJournal(file: string, begin: () => Beginning): Journal {
  mkdirSync(dirname(file), { recursive: true });
  const kept = existsSync(file) ? parseJournal(readFileSync(file)) : undefined;
  if (!kept && existsSync(file)) renameSync(file, `${file}.old`);
  const descriptor = openSync(file, "a", 0o600);
  const write = (entry: object) => writeSync(descriptor, `${JSON.stringify(entry)}\n`);
  const beginning = kept?.beginning ?? begin();
  if (kept) ftruncateSync(descriptor, kept.usableBytes);
  else write({ version, ...beginning });

  return {
    beginning,
    blocks: kept?.blocks ?? [],
    append: write,
    backTo: (number) => write({ backTo: number }),
    close: () => closeSync(descriptor),
  };
}

type Parsed = { beginning: Beginning; blocks: KeptBlock[]; usableBytes: number };

/** What a journal says, or nothing if it is of no chain that we know how to go on with. Pure. */
export function parseJournal(bytes: Buffer): Parsed | undefined {
  const [first, ...lines] = wholeLines(bytes);
  const beginning = first && valueIn(first);
  if (!first || !BeginningLine.Check(beginning)) return undefined;
  const blocks: KeptBlock[] = [];
  let usableBytes = first.length + 1;
  for (const line of lines) {
    const entry = valueIn(line);
    if (!Entry.Check(entry)) break;
    if ("backTo" in entry) blocks.length = Math.min(blocks.length, Math.max(0, entry.backTo));
    else blocks.push(entry);
    usableBytes += line.length + 1;
  }
  const { version: _, ...rest } = beginning;
  return { beginning: rest, blocks, usableBytes };
}

/** The lines that are complete, without their ends. */
function wholeLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; ; ) {
    const end = bytes.indexOf("\n", from);
    if (end < 0) return lines;
    lines.push(bytes.subarray(from, end));
    from = end + 1;
  }
}

function valueIn(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined;
  }
}
