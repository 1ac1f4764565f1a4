import type { SwapKey } from "../store/swaps.ts";

/** A block with swaps that have been told, and what tells whether it has been replaced since. */
export type Anchor = { block: number; mark: string };

/** The last swap that was told, and the last blocks with swaps up to it, newest first. */
export type SwapPosition = { key: SwapKey; anchors: readonly Anchor[] };

const form = /^(\d{1,12})\.(\d{1,15})\.(-?\d{1,9})((?:_\d{1,15}\.[0-9a-f]{0,8}){0,3})$/;

/** The position as text. */
export function swapPositionText({ key, anchors }: SwapPosition): string {
  const { time, block, logIndex } = key;
  return `${time}.${block}.${logIndex}${anchors.map(({ block, mark }) => `_${block}.${mark}`).join("")}`;
}

/** Reads such a text; nothing when it is none. */
export function swapPosition(text: string): SwapPosition | undefined {
  const [, time, block, logIndex, rest = ""] = form.exec(text) ?? [];
  if (time === undefined) return undefined;
  const anchors = rest
    .split("_")
    .slice(1)
    .map((anchor) => {
      const [block = "", mark = ""] = anchor.split(".");
      return { block: Number(block), mark };
    });
  const key = { time: Number(time), block: Number(block), logIndex: Number(logIndex) };
  return { key, anchors };
}
