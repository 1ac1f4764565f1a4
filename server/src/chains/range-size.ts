import type { RangeAdvice } from "./range-errors.ts";

/** How much a request for logs should bring. */
export type RangeTarget = {
  firstBlocks: number;
  mostBlocks: number;
  logs: number;
  bytes: number;
};

/** What is known about how many blocks to ask for at once. */
export type RangeSize = {
  target: RangeTarget;
  /** Which part of a full answer one block brings; nothing before the first answer. */
  fullnessPerBlock: number | undefined;
  /** A range this long has been answered. */
  proven: number;
  /** Longer ones have been refused; it grows again, slowly. */
  ceiling: number;
};

/** An answer is never followed by a range more than this many times as long. */
const growthMost = 4;

/** How fast a ceiling rises again. */
const recovery = 1.25;

/** Providers that give at most so many logs refuse the whole range, so we stay below by this much. */
const logsMargin = 0.7;

/** Where to begin, knowing nothing. */
export function firstRangeSize(target: RangeTarget): RangeSize {
  return {
    target,
    fullnessPerBlock: undefined,
    proven: target.firstBlocks / growthMost,
    ceiling: Number.POSITIVE_INFINITY,
  };
}

/** How many blocks to ask for next. */
export function nextBlocks({ target, fullnessPerBlock, proven, ceiling }: RangeSize): number {
  const wanted =
    fullnessPerBlock === undefined ? target.firstBlocks : 1 / Math.max(fullnessPerBlock, 1e-12);
  const blocks = Math.min(wanted, proven * growthMost, ceiling, target.mostBlocks);
  return Math.max(1, Math.floor(blocks));
}

/** An answer came: short ones change the estimate a little, long ones by half. */
export function afterAnswer(
  size: RangeSize,
  answer: { blocks: number; logs: number; bytes: number },
): RangeSize {
  const { target, fullnessPerBlock, proven, ceiling } = size;
  const { blocks, logs, bytes } = answer;
  const seen = Math.max(logs / target.logs, bytes / target.bytes) / blocks;
  const before = fullnessPerBlock ?? seen;
  const weight = blocks / (blocks + nextBlocks(size));
  return {
    target,
    fullnessPerBlock: before + (seen - before) * weight,
    proven: Math.max(proven, blocks),
    ceiling: blocks * 2 >= ceiling ? ceiling * recovery : ceiling,
  };
}

/** A range was refused or could not be answered. */
export function afterRefusal(
  size: RangeSize,
  { blocks, advice }: { blocks: number; advice: RangeAdvice },
): RangeSize {
  const logs = Math.min(size.target.logs, (advice.mostLogs ?? size.target.logs) * logsMargin);
  const target = advice.mostLogs ? { ...size.target, logs: Math.max(1, logs) } : size.target;
  // A limit that was named is the endpoint's, which remembers it; others may have none.
  if (advice.mostBlocks !== undefined) return { ...size, target };
  const fitting = advice.fittingBlocks ?? Math.max(1, Math.floor(blocks / 2));
  return {
    ...size,
    target,
    proven: Math.min(size.proven, fitting),
    ceiling: Math.min(size.ceiling, fitting),
  };
}

/** The parts in which to ask for a range that was refused: in order, without gaps. */
export function splitRange(
  { from, to }: { from: number; to: number },
  advice: RangeAdvice,
): { from: number; to: number }[] {
  const blocks = to - from + 1;
  const half = Math.ceil(blocks / 2);
  if (advice.mostBlocks !== undefined && advice.mostBlocks < blocks)
    return cut(from, to, Math.max(1, advice.mostBlocks));
  const first = Math.min(advice.fittingBlocks ?? half, blocks - 1);
  return [
    { from, to: from + first - 1 },
    { from: from + first, to },
  ];
}

function cut(from: number, to: number, length: number): { from: number; to: number }[] {
  const parts = Math.ceil((to - from + 1) / length);
  return Array.from({ length: parts }, (_, at) => ({
    from: from + at * length,
    to: Math.min(to, from + (at + 1) * length - 1),
  }));
}
