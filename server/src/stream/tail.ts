import type { Clock } from "../lib/clock.ts";
import { messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { Saying } from "./message.ts";
import type { DurableUpdate, Page } from "./source.ts";

type TailOptions = {
  /** Finds the end of the list. */
  begin(): Promise<string>;
  read(after: string): Promise<Page>;
  clock: Clock;
  log: Log;
};

/** The end of a list in the database, read once for all who listen. */
export type Tail = {
  readonly ready: Promise<void>;
  readonly listeners: Set<(update: DurableUpdate) => void>;
  head(): string;
  /** Tells what has come since. Whoever asks meanwhile waits for the same, and then for what came in between. */
  advance(): Promise<void>;
  /** Tells something that is not at the end, or that may be missed. */
  tell(kind: "late" | "note", saying: Saying): void;
  close(): void;
};

const retryMs = 1_000;

/** Follows a list. What cannot be read is tried again until the source closes. */
export function followTail({ begin, read, clock, log }: TailOptions): Tail {
  const closing = new AbortController();
  const listeners = new Set<(update: DurableUpdate) => void>();
  let head = "";
  let advancing: Promise<void> | undefined;
  /** How often it was asked to advance, and up to which of these it has. */
  let asked = 0;
  let answered = 0;

  function tell(update: DurableUpdate): void {
    for (const hear of [...listeners]) hear(update);
  }

  function moveTo(position: string, saying?: Saying): void {
    const before = head;
    head = position;
    tell({ kind: "move", saying, before, position });
  }

  /** Tells one page; says whether that was the end. */
  async function readOn(): Promise<boolean> {
    const { sayings, isEnd, end } = await read(head);
    if (closing.signal.aborted) return true;
    for (const { saying, position } of sayings) moveTo(position, saying);
    if (end !== undefined && end !== head) moveTo(end);
    return isEnd;
  }

  async function readToEnd(): Promise<void> {
    try {
      while (!(await readOn()));
    } catch (error) {
      log.warn({ reason: messageOf(error) }, "a stream cannot be read; trying again");
      await clock.sleep(retryMs, closing.signal);
      asked++;
    }
  }

  async function advanceUntilDone(): Promise<void> {
    while (answered < asked && !closing.signal.aborted) {
      const reached = asked;
      await readToEnd();
      answered = reached;
    }
    advancing = undefined;
  }

  const ready = begin().then((end) => {
    head = end;
  });
  // Whoever listens meets the failure.
  ready.catch(() => {});

  return {
    ready,
    listeners,
    head: () => head,
    async advance() {
      await ready;
      asked++;
      advancing ??= advanceUntilDone();
      await advancing;
    },
    tell: (kind, saying) => tell({ kind, saying }),
    close: () => closing.abort(),
  };
}
