import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeChain, fakeChain } from "../../test/fake-chain.ts";
import { type FakeNode, startFakeNode } from "../../test/fake-node.ts";
import { openTestNodes } from "../../test/test-nodes.ts";
import { systemClock } from "../lib/clock.ts";
import type { Header, Nodes } from "./chain.ts";
import type { NodeLimits } from "./limits.ts";

let chain: FakeChain;
let node: FakeNode;
let other: FakeNode;
let nodes: Nodes | undefined;
let stopping: AbortController;

beforeEach(async () => {
  stopping = new AbortController();
  chain = fakeChain();
  chain.append({}, {});
  node = await startFakeNode({ chain });
  other = await startFakeNode({ chain });
});

afterEach(async () => {
  stopping.abort();
  await nodes?.close();
  await Promise.all([node.close(), other.close()]);
});

/** Heads as they come, on a real clock with short pauses. */
async function follow(urls: readonly string[], limits: Partial<NodeLimits> = {}) {
  nodes = await openTestNodes(urls, {
    clock: systemClock,
    limits: { pollMs: 5, pollBesideSocketMs: 5, restFirstMs: 1, restMostMs: 2, ...limits },
  });
  return nodes.heads(stopping.signal)[Symbol.asyncIterator]();
}

const next = async (heads: AsyncIterator<Header>) => (await heads.next()).value as Header;
const polls = () => node.calls.filter(({ params }) => params[0] === "latest").length;

test("the head of now comes first, and then every new one that is waited for", async () => {
  const heads = await follow([node.url]);
  expect((await next(heads)).number).toBe(2);
  for (let number = 3; number < 8; number++) {
    chain.append({});
    expect(await next(heads)).toMatchObject({ number, hash: chain.head().hash });
  }
});

test("a head that has not changed does not come again", async () => {
  const heads = await follow([node.url]);
  await next(heads);
  let isHere = false;
  const waiting = next(heads).then((header) => {
    isHere = true;
    return header;
  });
  const before = polls();
  await expect.poll(polls).toBeGreaterThan(before + 5);
  expect(isHere).toBe(false);
  chain.append({});
  expect((await waiting).number).toBe(3);
});

test("heads that nobody waited for are skipped", async () => {
  const heads = await follow([node.url]);
  await next(heads);
  for (let block = 0; block < 5; block++) {
    const before = polls();
    chain.append({});
    await expect.poll(polls).toBeGreaterThan(before + 1);
  }
  expect((await next(heads)).number).toBe(7);
});

test("another block with the same number is a new head", async () => {
  const heads = await follow([node.url]);
  await next(heads);
  chain.reorg(1, {});
  expect(await next(heads)).toMatchObject({ number: 2, hash: chain.head().hash });
});

test("a lower head is not believed, for replicas lag", async () => {
  const heads = await follow([node.url], { lowerHeadAnswers: 1_000_000 });
  await next(heads);
  node.options.lag = 1;
  const before = polls();
  await expect.poll(polls).toBeGreaterThan(before + 5);
  node.options.lag = 0;
  chain.append({});
  expect((await next(heads)).number).toBe(3);
});

test("a lower head that stays is believed", async () => {
  const heads = await follow([node.url]);
  await next(heads);
  chain.reorg(2, {});
  expect((await next(heads)).number).toBe(1);
});

test("a socket tells of heads without being asked, header complete", async () => {
  const heads = await follow([node.wsUrl], { pollMs: 60_000, pollBesideSocketMs: 60_000 });
  expect((await next(heads)).number).toBe(2);
  await expect.poll(() => node.subscribers()).toBe(1);
  chain.append({});
  const header = await next(heads);
  expect(header).toMatchObject({ number: 3, size: 600 });
  expect(header).toEqual(await nodes?.header(3));
});

test("nonsense from a socket is not heard", async () => {
  const heads = await follow([node.wsUrl], { pollMs: 60_000, pollBesideSocketMs: 60_000 });
  await next(heads);
  await expect.poll(() => node.subscribers()).toBe(1);
  for (const nonsense of [null, 1, {}, { hash: 5 }, { hash: "0x12" }]) node.pushNonsense(nonsense);
  chain.append({});
  expect((await next(heads)).number).toBe(3);
});

test("a socket that was cut is opened again; until then polling goes on", async () => {
  const heads = await follow([node.url, node.wsUrl]);
  await next(heads);
  await expect.poll(() => node.subscribers()).toBe(1);
  node.dropSockets();
  chain.append({});
  expect((await next(heads)).number).toBe(3);
  await expect.poll(() => node.subscribers()).toBe(1);
});

test("a socket that says nothing while there is news is hung up on", async () => {
  const heads = await follow([node.url, other.wsUrl]);
  await next(heads);
  await expect.poll(() => other.subscribers()).toBe(1);
  // It speaks once, so that it is relied upon, and then no more.
  chain.append({});
  await next(heads);
  other.mute();
  const { connections } = other;
  await expect
    .poll(async () => {
      chain.append({});
      await next(heads);
      return other.connections;
    })
    .toBeGreaterThan(connections);
});

test("a node that stands still while others go on is left", async () => {
  const still = await startFakeNode({ chain: fakeChain() });
  const heads = await follow([still.url, node.url], { compareMs: 20, behindMostSeconds: 10 });
  await expect.poll(async () => (await next(heads)).number).toBe(2);
  expect(nodes?.health()[0]?.lastError).toBe("its head is 24 seconds behind");
  await still.close();
});

test("failing nodes do not end it", async () => {
  node.script = () => ({ status: 500, body: "" });
  const heads = await follow([node.url], { giveUpMs: 10 });
  setTimeout(() => {
    node.script = undefined;
  }, 50);
  expect((await next(heads)).number).toBe(2);
});

test("it ends when it is told to, at once", async () => {
  const heads = await follow([node.url, node.wsUrl], { pollMs: 60_000 });
  await next(heads);
  const waiting = heads.next();
  stopping.abort();
  expect(await waiting).toEqual({ done: true, value: undefined });
  const late = nodes?.heads(stopping.signal)[Symbol.asyncIterator]();
  expect(await late?.next()).toEqual({ done: true, value: undefined });
});

test("two may listen to one socket, and one may leave", async () => {
  const one = await follow([node.wsUrl], { pollMs: 60_000, pollBesideSocketMs: 60_000 });
  const leaving = new AbortController();
  const two = nodes?.heads(leaving.signal)[Symbol.asyncIterator]();
  await Promise.all([next(one), two?.next()]);
  await expect.poll(() => node.calls.filter(isSubscription).length).toBe(2);
  leaving.abort();
  expect((await two?.next())?.done).toBe(true);
  chain.append({});
  expect((await next(one)).number).toBe(3);
});

const isSubscription = ({ method }: { method: string }) => method === "eth_subscribe";
