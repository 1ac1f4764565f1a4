import { type Saying, saying } from "./message.ts";

/**
 * Where a channel's messages come from, shared by all who listen to it. It begins when the first one comes and ends
 * when the last one leaves.
 */
export type Source = StateSource | DurableSource;

type Common = {
  /** Resolves when the source can be listened to. */
  readonly ready: Promise<void>;
  close(): void;
};

/** Something that has a state: whoever missed a change is told the whole of it. */
export type StateSource = Common & {
  kind: "state";
  readonly listeners: Set<(update: StateUpdate) => void>;
  /** The state that was told last; nothing before there is one. */
  whole(): Saying | undefined;
};

export type StateUpdate = {
  /** A change is of use only to those who know the state before it. A note may be missed. */
  kind: "whole" | "change" | "note";
  saying: Saying;
};

/** A list in the database that only grows at its end, or is cut back and grows anew. */
export type DurableSource = Common & {
  kind: "durable";
  readonly listeners: Set<(update: DurableUpdate) => void>;
  /** The position up to which everything has been told. */
  head(): string;
  /** Tells what there is by now. */
  advance(): Promise<void>;
  /** Whether a text can be a position here. */
  accepts(position: string): boolean;
  /** What follows a position, up to some hundred items. */
  read(after: string): Promise<Page>;
  /** Where somebody can go on who was at a position, and what there is to be said about the part between. */
  missedSince(position: string): Promise<{ gaps: Gap[]; position: string }>;
  /** Whether a position is after everything that has been told. */
  isBeyond(position: string): boolean;
  /** What to say to somebody who was told what is not known here. */
  lost(): Gap;
};

/** What is told live. */
export type DurableUpdate =
  /** To those who are at `before`, who are then at `position`; without anything to say they move silently. */
  | { kind: "move"; saying: Saying | undefined; before: string; position: string }
  /** Something that is not at the end, and moves nobody. Who does not get it is told that something is missing. */
  | { kind: "late"; saying: Saying }
  /** What may be missed. */
  | { kind: "note"; saying: Saying };

/** Messages in order, and whether the list ends with them; `end` is where it does if not at the last of them. */
export type Page = {
  sayings: { saying: Saying; position: string }[];
  isEnd: boolean;
  end?: string;
};

/** Something that does not come. */
export type Gap = {
  reason: string;
  /** A path of this API that has it, if anybody has. */
  refetch: string;
};

export function gapSaying({ reason, refetch }: Gap): Saying {
  return saying("gap", { reason, refetch });
}

export function staleSaying(reason: string): Saying {
  return saying("stale", { reason });
}
