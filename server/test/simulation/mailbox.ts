import type { FileExchange } from "../../src/ramp/rails/file-exchange.ts";
import type { PayoutId } from "../../src/ramp/transaction.ts";
import type { Chance } from "./chance.ts";
import type { Faults } from "./faults.ts";
import type { Happenings } from "./happenings.ts";

/** What a file of the bank's says, for those who have read it. */
export type Said =
  | { kind: "received"; reference: string; cents: bigint }
  | { kind: "settled" | "failed" | "returned"; id: PayoutId };

/** A file for us, and what it says. */
type Letter = {
  name: string;
  bytes: Buffer;
  said: readonly Said[];
};

/** Where the bank leaves its files: some late, some twice, some damaged before they come whole. */
export type Mailbox = {
  leave(letter: Letter): void;
  /** How many lie there. */
  waiting(): number;
  /** What the files with these names say, or nothing when one is none that the bank can have meant. */
  saidIn(names: readonly string[]): readonly Said[];
  /** Names of files that came damaged and not otherwise. */
  isOnlyDamaged(name: string): boolean;
  exchange: Pick<FileExchange, "list" | "get" | "setAside">;
};

type MailboxContext = {
  chance: Chance;
  faults: Faults;
  happenings: Happenings;
  narrate(line: string): void;
};

const minute = 60_000;
const hour = 60 * minute;

/** Opens a place for files that is empty. */
export function openMailbox({ chance, faults, happenings, narrate }: MailboxContext): Mailbox {
  const lying = new Map<string, Buffer>();
  const known = new Map<string, readonly Said[]>();
  const damaged = new Set<string>();

  function put({ name, bytes, said }: Letter): void {
    narrate(`bank leaves ${name}`);
    known.set(name, said);
    // What comes again is the newest.
    lying.delete(name);
    lying.set(name, bytes);
  }

  /** Cut off before its sums, so that nobody can take it for whole. */
  function putDamaged({ name, bytes }: Letter): void {
    const length = Math.floor((bytes.length * chance.between(5, 55)) / 100);
    narrate(`bank leaves ${name}, damaged`);
    damaged.add(name);
    lying.set(name, bytes.subarray(0, length));
  }

  /** Acknowledgements are known by their names; anything else may come again under another one. */
  function again(letter: Letter): Letter {
    return letter.name.endsWith(".ack") ? letter : { ...letter, name: `again-${letter.name}` };
  }

  return {
    leave(letter) {
      const isDamaged = !letter.name.endsWith(".ack") && faults.strikes("file_damaged");
      if (isDamaged) happenings.later(0, () => putDamaged(letter));
      const isLate = faults.strikes("file_late");
      const first = isDamaged ? chance.between(minute, 3 * hour) : 0;
      const wait = isLate ? chance.between(minute, 12 * hour) : 0;
      happenings.later(first + wait, () => put(letter));
      if (faults.strikes("file_twice"))
        happenings.later(first + wait + chance.between(0, 48 * hour), () => put(again(letter)));
    },
    waiting: () => lying.size,
    saidIn: (names) => names.flatMap((name) => known.get(name) ?? []),
    isOnlyDamaged: (name) => damaged.has(name) && !known.has(name),
    exchange: {
      list: async () => [...lying.keys()],
      async get(name) {
        const bytes = lying.get(name);
        if (!bytes) throw new Error(`simulated: ${name} is not there any more`);
        return bytes;
      },
      async setAside(name) {
        lying.delete(name);
      },
    },
  };
}
