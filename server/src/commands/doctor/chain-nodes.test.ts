import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fakeChain } from "../../../test/fake-chain.ts";
import { type FakeNode, startFakeNode } from "../../../test/fake-node.ts";
import { nodeFindings, type WatchedChain } from "./chain-nodes.ts";

let nodes: FakeNode[] = [];
let chain: ReturnType<typeof fakeChain>;
beforeEach(async () => {
  chain = fakeChain();
  chain.append({}, {}, {});
  nodes = await Promise.all([startFakeNode({ chain }), startFakeNode({ chain })]);
});
afterEach(() => Promise.all(nodes.map((node) => node.close())));

const key = "/v3/0123456789abcdef0123";
function look(changes: Partial<WatchedChain> = {}, ageSeconds = 4) {
  const watched = {
    ...{ blockchain: "ethereum", chainId: chain.chainId, agreeing: 2, setting: "chains.ethereum" },
    ...{ rpcUrls: nodes.map(({ url }) => `${url}${key}`), tags: ["finalized"] },
  };
  return nodeFindings(
    { ...watched, ...changes },
    { now: (chain.head().time + ageSeconds) * 1_000 },
  );
}

const states = (findings: Awaited<ReturnType<typeof look>>) => findings.map(({ state }) => state);

describe("the nodes of a chain", () => {
  test("are well when enough of them are of it and at its head", async () => {
    expect(await look()).toEqual([
      { state: "ok", what: `2 nodes, 2 of which must agree; block ${chain.head().number}` },
    ]);
  });

  test("of which one does not answer are fewer; without enough of them all is broken", async () => {
    await nodes[1]?.close();
    const missing = `The node ${new URL(nodes[1]?.url ?? "").host} does not answer`;
    expect(await look({ agreeing: 1 })).toMatchObject([
      { state: "warning", what: expect.stringContaining(missing) },
    ]);
    const findings = await look();
    expect(findings).toMatchObject([
      { state: "broken", fix: expect.stringContaining("chains.ethereum.rpcUrls") },
      { state: "broken", fix: expect.stringContaining("chains.ethereum.agreeing") },
    ]);
    expect(JSON.stringify(findings)).not.toContain(key);
  });

  test("of another chain are broken, also when the others would do", async () => {
    for (const node of nodes.slice(1))
      node.script = ({ method }) => (method === "eth_chainId" ? { result: "0x5" } : undefined);
    expect(await look({ agreeing: 1 })).toMatchObject([
      { state: "broken", what: expect.stringContaining("is of chain 5, not 1") },
    ]);
  });

  test("that lag behind the others count as away", async () => {
    chain.append({ time: chain.head().time + 90 });
    for (const node of nodes.slice(1)) node.options.lag = 1;
    expect(await look({ agreeing: 1 })).toMatchObject([
      { state: "warning", what: expect.stringContaining("is 90 s behind the others") },
    ]);
    expect(states(await look())).toEqual(["broken", "broken"]);
  });

  test("that do not know the final block can end no payment", async () => {
    for (const node of nodes.slice(1))
      node.script = ({ params }) =>
        params[0] === "finalized" ? { error: { code: -32602, message: "no such tag" } } : undefined;
    expect(await look()).toMatchObject([
      { state: "broken", fix: expect.stringContaining("chains.ethereum.finality") },
    ]);
    expect(states(await look({ tags: [] }))).toEqual(["ok"]);
  });

  test("that stand still are broken, and blocks of the future are our clock's fault", async () => {
    expect(await look({}, 600)).toMatchObject([
      { state: "broken", what: "The newest block of ethereum is 10 min old." },
    ]);
    expect(await look({}, -40)).toMatchObject([
      { state: "broken", what: "Our clock is 40 s behind the newest block of ethereum." },
    ]);
  });
});
