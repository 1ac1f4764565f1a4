import type { Clock } from "../../lib/clock.ts";
import type { Chronicle, Head } from "./chronicle.ts";
import type { Engine } from "./engine.ts";
import { foundingBlocks } from "./founding.ts";
import type { Beginning } from "./journal.ts";
import { nextTime, type Span } from "./market/script.ts";
import type { SandboxNode } from "./node.ts";
import { trade } from "./trading/trade.ts";

/** What makes a chain grow. */
export type Life = {
  /** Deploys what is not there yet, so that trading can begin. */
  found(): Promise<void>;
  /** Makes up the blocks up to the end of history that are not there yet. */
  makeHistory(signal: AbortSignal): Promise<void>;
  /** Goes on block by block until the signal aborts. */
  goOn(signal: AbortSignal): Promise<void>;
  /** Lets the market make one block at a time, or a second after the newest block if that is later. */
  step(time: number): Promise<void>;
};

type LifeOptions = {
  engine: Engine;
  chronicle: Chronicle;
  node: SandboxNode;
  beginning: Beginning;
  clock: Clock;
};

const foundingSeconds = 12;
const blockMs = 4_000;

/** A chain is kept in memory and replayed after a restart, so one that has run for days takes it slower. */
const livelyBlocks = 15_000;
const slowBlockMs = 20_000;

/** The life of a chain, from whatever blocks it has. */
export function lifeOf({ engine, chronicle, node, beginning, clock }: LifeOptions): Life {
  const { seed, genesisTime, historyEnd, historyBlockSeconds } = beginning;
  const founding = foundingBlocks();
  const history: Span = {
    start: genesisTime + foundingSeconds * founding.length + 1,
    end: historyEnd,
  };

  /** Mines a block whose time depends on the one before. */
  function step(timeAfter: (head: Head) => number): Promise<void> {
    return node.inTurn(async () => {
      const head = chronicle.head();
      const time = Math.max(timeAfter(head), head.time + 1);
      const moment = { seed, number: head.number + 1, parentTime: head.time, time, history };
      await node.mine(time, await trade(engine, moment));
    });
  }

  return {
    step: (time) => step(() => time),
    found: () =>
      node.inTurn(async () => {
        for (const transactions of founding.slice(chronicle.head().number)) {
          const number = chronicle.head().number + 1;
          await node.mine(genesisTime + foundingSeconds * number, transactions);
        }
      }),
    async makeHistory(signal) {
      while (chronicle.head().time < historyEnd && !signal.aborted) {
        await step(({ number, time }) =>
          Math.min(nextTime(seed, number, time, historyBlockSeconds), historyEnd),
        );
      }
    },
    async goOn(signal) {
      while (!signal.aborted) {
        await clock.sleep(chronicle.head().number < livelyBlocks ? blockMs : slowBlockMs, signal);
        if (!signal.aborted) await step(() => Math.floor(clock.now() / 1_000));
      }
    },
  };
}
