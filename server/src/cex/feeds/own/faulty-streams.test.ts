import { describe, expect, test } from "vitest";
import {
  bitstampTime,
  tellBinance,
  tellBitstamp,
  tellCoinbase,
  tellCoinbaseExchange,
  tellKraken,
} from "../../../../test/book-frames.ts";
import { type BookStory, bookStory, type Sides, sidesOf } from "../../../../test/book-story.ts";
import { binance } from "./binance.ts";
import { bitstamp } from "./bitstamp.ts";
import { BookTracker, type Verdict } from "./book-tracker.ts";
import { coinbase } from "./coinbase.ts";
import { coinbaseExchange } from "./coinbase-exchange.ts";
import { kraken } from "./kraken.ts";
import type { Protocol } from "./protocol.ts";

/** Few levels, so that Kraken's checksum covers all of them. */
const story = bookStory({ seed: 7, levels: 10, changes: 120 });
/** Of streams without whole books: the change after which the snapshot was taken, and when it arrives. */
const [takenAfter, arrivesAfter] = [14, 25];

type Item = string | "the snapshot arrives";
type Scene = { protocol: Protocol; items: Item[]; snapshotNonce: number };

const scenes = {
  kraken: inStream(kraken, tellKraken(story)),
  coinbase: inStream(coinbase, tellCoinbase(story)),
  coinbaseExchange: inStream(coinbaseExchange, tellCoinbaseExchange(story)),
  binance: overRest(binance, tellBinance(story).changes, 3 * takenAfter + 3),
  bitstamp: overRest(bitstamp, tellBitstamp(story).changes, bitstampTime(takenAfter)),
};

function inStream(protocol: Protocol, told: { whole: string; changes: string[] }): Scene {
  return { protocol, items: [told.whole, ...told.changes], snapshotNonce: 0 };
}

function overRest(protocol: Protocol, changes: string[], snapshotNonce: number): Scene {
  const items: Item[] = changes.toSpliced(arrivesAfter, 0, "the snapshot arrives");
  return { protocol, items, snapshotNonce };
}

/** Follows a stream. Returns the book at the end, or that the feed would have started over. */
function follow({ protocol, items, snapshotNonce }: Scene, { market, books }: BookStory) {
  const { levelsMost, checkOf } = protocol;
  const tracker = new BookTracker({ levelsMost, check: checkOf?.(market) });
  const talk = protocol.openTalk();
  const take = (item: Item): Verdict[] => {
    if (item === "the snapshot arrives")
      return [tracker.snapshot({ ...(books[takenAfter] ?? empty), nonce: snapshotNonce })];
    return talk.read(item).map((said) => {
      if (said.kind === "change") return tracker.change(said);
      if (said.kind === "whole") return tracker.whole(said.bids, said.asks, said.checksum);
      return { kind: "broken", fault: "sequence", reason: said.kind };
    });
  };
  for (const item of items) {
    const isOver = take(item).some(({ kind }) => kind === "broken" || kind === "stale");
    if (isOver) return "started over";
  }
  return tracker.book ? sidesOf(tracker.book) : "started over";
}

const empty: Sides = { bids: [], asks: [] };
const truth = story.books.at(-1) ?? empty;

/** Every way to spoil one frame, and all the streams it makes. */
const faults = {
  dropped: (items: Item[], at: number) => items.toSpliced(at, 1),
  repeated: (items: Item[], at: number) => items.toSpliced(at, 0, items[at] ?? ""),
  "repeated later": (items: Item[], at: number) => items.toSpliced(at + 3, 0, items[at] ?? ""),
  "swapped with the next": (items: Item[], at: number) =>
    items.toSpliced(at, 2, ...items.slice(at, at + 2).reverse()),
};

/**
 * How often the end was wrong although nobody noticed, and how often the stream had to start over.
 * The last frame is left alone: until the next one comes, nobody can know of it.
 */
function spoil(scene: Scene, fault: keyof typeof faults) {
  let [wrong, startedOver] = [0, 0];
  for (let at = 0; at < scene.items.length - 1; at++) {
    const end = follow({ ...scene, items: faults[fault](scene.items, at) }, story);
    if (end === "started over") startedOver++;
    else if (JSON.stringify(end) !== JSON.stringify(truth)) wrong++;
  }
  return { wrong, startedOver };
}

describe.each(Object.entries(scenes))("the stream of %s", (_, scene) => {
  test("ends in the true book when nothing is wrong with it", () => {
    expect(follow(scene, story)).toEqual(truth);
  });
});

/** What the protocols allow to notice. Where messages are not numbered, a missing one cannot be missed. */
const noticed: [keyof typeof scenes, (keyof typeof faults)[]][] = [
  ["kraken", ["dropped", "repeated", "repeated later", "swapped with the next"]],
  ["coinbase", ["dropped", "repeated", "repeated later", "swapped with the next"]],
  ["binance", ["dropped", "repeated", "repeated later", "swapped with the next"]],
  ["bitstamp", ["repeated", "repeated later", "swapped with the next"]],
  ["coinbaseExchange", ["repeated"]],
];

describe.each(noticed)("the stream of %s", (name, kinds) => {
  test.each(kinds)("never ends in a wrong book unnoticed when a frame is %s", (fault) => {
    expect(spoil(scenes[name], fault).wrong).toBe(0);
  });
});

test("a repeated frame never makes a numbered stream start over", () => {
  for (const name of ["coinbase", "binance"] as const) {
    expect(spoil(scenes[name], "repeated").startedOver).toBe(0);
    expect(spoil(scenes[name], "repeated later").startedOver).toBe(0);
  }
});

test("a dropped frame always makes a numbered stream start over, but for those before the book", () => {
  expect(spoil(scenes.coinbase, "dropped").startedOver).toBe(scenes.coinbase.items.length - 1);
  // A snapshot contains the changes before it: nobody misses those.
  expect(spoil(scenes.binance, "dropped").startedOver).toBe(
    scenes.binance.items.length - 1 - (takenAfter + 1),
  );
});

test("Kraken's ten best levels are never wrong unnoticed, however deep the book is", () => {
  const deep = bookStory({ seed: 11, levels: 200, changes: 150 });
  const { whole, changes } = tellKraken(deep);
  const best = (sides: Sides) => [sides.bids.slice(0, 20), sides.asks.slice(0, 20)];
  for (let at = 0; at < changes.length; at++) {
    const scene = inStream(kraken, { whole, changes: changes.toSpliced(at, 1) });
    const end = follow(scene, deep);
    if (end !== "started over") expect(best(end)).toEqual(best(deep.books.at(-1) ?? empty));
  }
  expect(follow(inStream(kraken, { whole, changes }), deep)).toEqual(deep.books.at(-1));
});
