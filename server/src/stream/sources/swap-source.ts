import { addressText } from "../../dex/endpoints/address.ts";
import { fillOrigins } from "../../dex/endpoints/origins.ts";
import { assert } from "../../lib/errors.ts";
import { Saying, saying } from "../message.ts";
import type { DurableSource, Gap, Page } from "../source.ts";
import {
  findMarks,
  findNewestSwap,
  findSwapBefore,
  findVersion,
  listNewestBlocks,
  type PoolName,
  type ReadSwap,
  readSwapsAfter,
  type SwapKey,
} from "../store/swaps.ts";
import { followTail } from "../tail.ts";
import type { DexSourceContext } from "./index-watch.ts";
import { type Anchor, type SwapPosition, swapPosition, swapPositionText } from "./swap-position.ts";
import { replayedMost } from "./trade-source.ts";

const pageMost = 500;
/** Blocks with swaps of which the marks are kept: so many of them may be replaced and we still know which. */
const anchorsMost = 3;
const attemptsMost = 20;
const nowhere: SwapKey = { time: 0, block: 0, logIndex: -1 };

type SwapSourceContext = DexSourceContext & {
  /** Blocks that may be replaced. */
  finalityBlocks: number;
};

/** A pool's swaps, as they get into the tables, and word of those that the chain has taken back. */
export function openSwapSource(name: PoolName, context: SwapSourceContext): DurableSource {
  const { db, indexes, clock, log, finalityBlocks } = context;
  const { place } = name;
  const path = `/v2/dex/${place.exchange}/${place.blockchain}/pool/${addressText(name.pool)}/trades`;

  /** Does several reads of the tables as of one moment: again, if they were written meanwhile. */
  async function atOneMoment<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 0; attempt < attemptsMost; attempt++) {
      const version = await findVersion(db, place);
      const result = await work();
      if ((await findVersion(db, place)) === version) return result;
    }
    throw new Error("the tables are written all the time");
  }

  async function anchorsAt(blocks: readonly number[]): Promise<Anchor[]> {
    const marks = await findMarks(db, place, blocks);
    return blocks.map((block, index) => ({ block, mark: marks[index] ?? "" }));
  }

  /** The position of a swap, with the blocks up to its own. */
  async function positionAt(key: SwapKey | undefined): Promise<SwapPosition> {
    if (!key) return { key: nowhere, anchors: [] };
    return { key, anchors: await anchorsAt(await listNewestBlocks(db, name, key, anchorsMost)) };
  }

  const begin = async () =>
    swapPositionText(await atOneMoment(async () => positionAt(await findNewestSwap(db, name))));

  /** The first block that was replaced, if the last that was told is not on the chain any more. */
  async function replacedFrom({ anchors }: SwapPosition): Promise<number | undefined> {
    if (anchors.length === 0) return undefined;
    const now = await anchorsAt(anchors.map(({ block }) => block));
    const kept = anchors.findIndex(({ mark }, index) => now[index]?.mark === mark);
    if (kept === 0) return undefined;
    const last = anchors[kept];
    if (last) return last.block + 1;
    return Math.max(0, Math.min(...anchors.map(({ block }) => block)) - finalityBlocks);
  }

  async function rollBack(fromBlock: number): Promise<Page> {
    const position = swapPositionText(await positionAt(await findSwapBefore(db, name, fromBlock)));
    return { sayings: [{ saying: saying("rollback", { fromBlock }), position }], isEnd: false };
  }

  async function tell(before: SwapPosition, swaps: readonly ReadSwap[]): Promise<Page> {
    const last = swaps.at(-1);
    if (!last) return { sayings: [], isEnd: true };
    const told = [...before.anchors.map(({ block }) => block).reverse(), ...swaps.map(blockOf)];
    const newest = [...new Set(told)].slice(-anchorsMost).reverse();
    const anchors = await anchorsAt(newest);
    const json = `{"swaps":[${swaps.map((swap) => swap.json).join(",")}]}`;
    const filled = await fillOrigins(json, place.blockchain, context);
    const { time, block, logIndex } = last;
    const position = swapPositionText({ key: { time, block, logIndex }, anchors });
    const sayings = [{ saying: new Saying("swaps", filled.slice(1, -1)), position }];
    return { sayings, isEnd: swaps.length < pageMost };
  }

  function read(after: string): Promise<Page> {
    const position = parsed(after);
    return atOneMoment(async () => {
      const fromBlock = await replacedFrom(position);
      if (fromBlock !== undefined) return rollBack(fromBlock);
      return tell(position, await readSwapsAfter(db, name, position.key, pageMost));
    });
  }

  async function missedSince(position: string): Promise<{ gaps: Gap[]; position: string }> {
    const { key } = parsed(position);
    const cut = await findNewestSwap(db, name, { after: key, skip: replayedMost });
    if (!cut) return { gaps: [], position };
    const reason = `More than ${replayedMost} swaps were missed; only the newest of them follow.`;
    const refetch = `${path}?mint=false&burn=false&from=${key.time}&to=${cut.time}&orderDirection=asc`;
    const next = await atOneMoment(() => positionAt(cut));
    return { gaps: [{ reason, refetch }], position: swapPositionText(next) };
  }

  const tail = followTail({ begin, read, clock, log });
  const stopListening = indexes.listen(place, () => void tail.advance().catch(() => {}));

  return {
    ...tail,
    kind: "durable",
    read,
    accepts: (text) => swapPosition(text) !== undefined,
    missedSince,
    isBeyond: (position) => compare(parsed(position).key, parsed(tail.head()).key) > 0,
    lost: () => ({
      reason: "These swaps are not known here, so those after them cannot be told apart.",
      refetch: `${path}?mint=false&burn=false`,
    }),
    close() {
      stopListening();
      tail.close();
    },
  };
}

const blockOf = ({ block }: ReadSwap) => block;

function parsed(text: string): SwapPosition {
  const position = swapPosition(text);
  assert(position, "positions are checked before they are used");
  return position;
}

function compare(one: SwapKey, other: SwapKey): number {
  return one.time - other.time || one.block - other.block || one.logIndex - other.logIndex;
}
