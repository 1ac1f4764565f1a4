import { describe, expect, test } from "vitest";
import { drawFrom } from "./rails-crash/draw.ts";
import { isOnChain, isTurningPoint } from "./rails-crash/points.ts";
import { openReorganiser } from "./rails-crash/reorganise.ts";
import { type Plot, type StoryName, stories } from "./rails-crash/stories.ts";
import {
  beKilled,
  type End,
  liveHere,
  tellWith,
  type World,
  withWorld,
} from "./rails-crash/world.ts";

/**
 * `CRASH_POINTS=all npx vitest run server/test/rails-crash.test.ts` is the long version: every point of every story.
 * Otherwise these are the points after which the world is another one.
 */
const isLong = process.env.CRASH_POINTS === "all";
const names = Object.keys(stories) as StoryName[];
const pairsPerStory = isLong ? 100 : 2;
const processesPerStory = isLong ? 20 : 1;

/** How many points a life has when it never lasts: with fewer it would not come any further. */
const shortLives = isLong ? [12, 13, 16, 20, 25] : [12];
const livesMost = 200;

const twins: Partial<Record<StoryName, StoryName>> = {
  "a sale paid by wire": "a sale paid by ACH",
  "a sale whose payment comes back": "a sale paid by ACH",
};

/** A story as it should be: the points it passes, and how it ends. */
type Whole = { story: StoryName; passed: string[]; end: End };

async function tellWhole(world: World, story: StoryName): Promise<Whole> {
  const plot = { story, key: `${story}, whole` };
  let passed: string[] = [];
  const end = await tellWith(world, plot, async () => {
    ({ passed } = await liveHere(world, plot));
  });
  return { story, passed, end };
}

/** Tells a story once more, with what `before` does to it: it must end as it should. */
async function expectSame(
  world: World,
  { story, end }: Whole,
  what: string,
  before: (plot: Plot) => Promise<unknown>,
): Promise<void> {
  const plot = { story, key: `${story}, ${what}` };
  expect(await tellWith(world, plot, () => before(plot)), what).toEqual(end);
}

const nameOf = ({ passed }: Whole, point: number) => `died ${passed[point - 1]} (${point})`;

async function dieAt(world: World, whole: Whole, point: number): Promise<void> {
  await expectSame(world, whole, nameOf(whole, point), async (plot) => {
    const { id } = await liveHere(world, plot, point);
    expect(id, `it is dead at ${point}`).toBeUndefined();
  });
}

/** What is left after the first death may be over before the second. */
async function dieTwice(world: World, whole: Whole, [first, second]: [number, number]) {
  const what = `${nameOf(whole, first)}, then at its point ${second}`;
  await expectSame(world, whole, what, async (plot) => {
    await liveHere(world, plot, first);
    await liveHere(world, plot, second);
  });
}

async function neverLast(world: World, whole: Whole, points: number): Promise<void> {
  await expectSame(world, whole, `lives of ${points} points`, async (plot) => {
    let lives = 1;
    while (!(await liveHere(world, plot, points)).id) expect(lives++).toBeLessThan(livesMost);
    expect(lives).toBeGreaterThan(whole.passed.length / points / 2);
  });
}

async function beKilledAt(world: World, whole: Whole, point: number): Promise<void> {
  await expectSame(world, whole, `kill -9, ${nameOf(whole, point)}`, (plot) =>
    beKilled(world, plot, point),
  );
}

/** After how many points two stories part. */
function sharedStart(one: Whole, other: Whole): number {
  const index = one.passed.findIndex((name, at) => name !== other.passed[at]);
  return index === -1 ? one.passed.length : index;
}

/** At which points it is worth while to die, besides those at random. */
function pointsWorthwhile(whole: Whole, twin: Whole | undefined): number[] {
  // Where a story is the same as another, that one dies for both: up to where they part, and on the chain.
  const known = twin ? sharedStart(whole, twin) : 0;
  return whole.passed.flatMap((name, index) => {
    const isWorthwhile = isTurningPoint(name) && index >= known && !(twin && isOnChain(name));
    return isLong || isWorthwhile ? [index + 1] : [];
  });
}

async function dieEverywhere(world: World, story: StoryName): Promise<void> {
  const seed = names.indexOf(story);
  const whole = await tellWhole(world, story);
  const { length } = whole.passed;
  const twin = isLong ? undefined : twins[story];
  const worthwhile = pointsWorthwhile(whole, twin && (await tellWhole(world, twin)));
  for (const point of worthwhile) await dieAt(world, whole, point);

  const seconds = drawFrom(length, pairsPerStory, seed + 100);
  for (const [index, first] of drawFrom(length, pairsPerStory, seed + 200).entries())
    await dieTwice(world, whole, [first, seconds[index] ?? 1]);

  for (const points of shortLives) await neverLast(world, whole, points);
  const processes = twin ? 0 : processesPerStory;
  for (const point of drawFrom(length, processes, seed + 300))
    await beKilledAt(world, whole, point);
}

describe.concurrent("a service that dies", () => {
  test.each(names)(
    "anywhere in %s, and goes on: every payment is made once",
    (story) => withWorld(1, (world) => dieEverywhere(world, story)),
    isLong ? 3_600_000 : 600_000,
  );
});

/** What is left of an end when a chain changed its mind on the way: how often it was told so is not. */
const withoutTelling = ({ events, ...end }: End) => end;

/** What money did, whether or not it was seen on the way. */
const moneyIn = ({ ramp, payouts, journals, changes, chain }: End) => ({
  ...{ ramp, payouts, journals, changes, transfers: chain.transfers, sent: chain.sent },
});

/** Tells a story on a chain that takes back its newest blocks after some rounds. */
async function tellReorganised(
  world: World,
  plot: Plot,
  isTime: (round: number) => boolean,
): Promise<{ end: End; taken: number }> {
  let taken = 0;
  const end = await tellWith(world, plot, async () => {
    const chain = await openReorganiser(world.rpc, finalityBlocks, isTime);
    await liveHere(world, plot, undefined, chain.afterRound);
    taken = chain.taken();
  });
  return { end, taken };
}

const finalityBlocks = 2;

/** In so many rounds a payment is sent and for good; in between the chain can take it back. */
const restRounds = 5;

describe.concurrent("a chain that takes blocks back which were not for good", () => {
  test.each(["a purchase", "a sale paid by ACH"] as const)(
    "at any stage of %s: in the end it is as if they had never been",
    (story) =>
      withWorld(finalityBlocks, async (world) => {
        const whole = await tellWhole(world, story);
        let blocks = 0;
        for (let first = 0; first < restRounds; first++) {
          const plot = { story, key: `blocks are taken back from round ${first} on` };
          const isTime = (round: number) => round % restRounds === first;
          const { end, taken } = await tellReorganised(world, plot, isTime);
          expect(withoutTelling(end), plot.key).toEqual(withoutTelling(whole.end));
          blocks += taken;
        }
        expect(blocks).toBeGreaterThan(finalityBlocks);
      }),
    600_000,
  );

  test(
    "and a deposit with them that is never sent again: no money has moved",
    () =>
      withWorld(finalityBlocks, async (world) => {
        const story = "a sale paid by ACH";
        const unpaid = await tellWith(
          world,
          { story, key: "unpaid", pays: "never" },
          async () => {},
        );
        expect(unpaid.ramp.state).toBe("EXPIRED");
        for (const stage of [1, 2]) {
          const plot = { story, key: `gone after round ${stage}`, pays: "once" } as const;
          const { end, taken } = await tellReorganised(world, plot, (round) => round === stage);
          expect(taken).toBe(stage);
          expect(end.events, "it was seen").toContain("ramp.transaction.funds_seen");
          expect(moneyIn(end), plot.key).toEqual(moneyIn(unpaid));
        }
      }),
    600_000,
  );
});
