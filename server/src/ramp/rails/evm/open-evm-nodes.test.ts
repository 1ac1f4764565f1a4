import fc from "fast-check";
import { keccak256, numberToHex } from "viem";
import { signTransaction } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  dollar,
  ether,
  hotWallet,
  mine,
  newAddress,
  openQuietChain,
  rampChainAt,
} from "../../../../test/evm-scene.ts";
import type { Hex } from "../../../chains/hex.ts";
import { assert, OperatorError, UnavailableError } from "../../../lib/errors.ts";
import { contracts, guest, traders } from "../../../sandbox/chain/layout.ts";
import type { OpenSandboxChain } from "../../../sandbox/chain/open-sandbox-chain.ts";
import type { EvmNodes } from "./evm-nodes.ts";
import { openEvmNodes } from "./open-evm-nodes.ts";

type Call = { id: number; method: string; params: unknown[] };

/** What a node answers instead of the truth: a result, an error, or nothing at all. */
type Lie = (call: Call) => { result: unknown } | { error: unknown } | "silence" | undefined;

let chain: OpenSandboxChain;
beforeAll(async () => {
  chain = await openQuietChain();
});
afterAll(() => chain.close());

/** Nodes of the one chain, each with its own idea of it. */
function nodesThat(lies: Lie[], agreeing = lies.length): EvmNodes {
  const names = ["ada.example", "ben.example", "cho.example"];
  const urls = lies.map((_, index) => `https://${names[index]}/v3/secret0123456789`);
  const ask: typeof fetch = async (url, init) => {
    const call = JSON.parse(String(init?.body)) as Call;
    const lie = lies[names.indexOf(new URL(String(url)).host)]?.(call);
    if (lie === "silence") throw new TypeError("fetch failed");
    if (lie) return Response.json({ jsonrpc: "2.0", id: call.id, ...lie });
    return fetch(chain.url, { ...init, body: JSON.stringify(call) });
  };
  return openEvmNodes({ ...rampChainAt(...urls), agreeing }, { fetch: ask });
}

const honest: Lie = () => undefined;
const away: Lie = () => "silence";
const saying =
  (method: string, result: unknown): Lie =>
  (call) =>
    call.method === method ? { result } : undefined;

async function headOf(): Promise<number> {
  return Number(await chain.request<Hex>("eth_blockNumber"));
}

async function sendEther(from: Hex, to: Hex, value: bigint): Promise<Hex> {
  return chain.request("eth_sendTransaction", [{ from, to, value: numberToHex(value) }]);
}

describe("what enough nodes say alike is believed", () => {
  test("and they are asked everything that moving money takes", async () => {
    const nodes = nodesThat([honest, honest]);
    const to = newAddress();
    const hash = await sendEther(hotWallet, to, 7n);
    const head = await headOf();
    expect(await nodes.balance(to, ether, "latest")).toBe(7n);
    expect(await nodes.balance(to, ether, head - 1)).toBe(0n);
    expect(await nodes.balance(hotWallet, dollar, head)).toBeGreaterThan(0n);
    const nonce = await nodes.nonce(hotWallet, "latest");
    expect(await nodes.nonce(hotWallet, head - 1)).toBe(nonce - 1);
    const block = await nodes.block(head);
    expect(block).toEqual(await nodes.block("latest"));
    expect(block?.parentHash).toBe((await nodes.block(head - 1))?.hash);
    expect(await nodes.block(head + 1)).toBeUndefined();
    const receipt = await nodes.receipt(hash);
    expect(receipt).toMatchObject({ hash, blockNumber: head, blockHash: block?.hash });
    expect(receipt?.succeeded).toBe(true);
    expect(await nodes.receipt(keccak256("0x01"))).toBeUndefined();
    const gas = await nodes.estimateGas(hotWallet, { to, value: 1n, data: "0x" });
    expect(gas).toBeGreaterThanOrEqual(21_000n);
    const { maxFee, priorityFee } = await nodes.fees();
    expect(maxFee).toBe(2n * (block?.baseFee ?? 0n) + priorityFee);
  });

  test("over a WebSocket as well", async () => {
    const nodes = openEvmNodes(rampChainAt(chain.url.replace("http", "ws")));
    expect((await nodes.block("latest"))?.number).toBe(await headOf());
    await nodes.close();
  });

  test("when one of three is away, late or lies", async () => {
    const nonce = await nodesThat([honest]).nonce(hotWallet, "latest");
    const lies = [
      away,
      saying("eth_getTransactionCount", "0xff"),
      saying("eth_getTransactionCount", {}),
    ];
    for (const lie of lies) {
      for (const order of [
        [lie, honest, honest],
        [honest, lie, honest],
        [honest, honest, lie],
      ])
        expect(await nodesThat(order, 2).nonce(hotWallet, "latest")).toBe(nonce);
    }
  });

  test("and of the newest blocks the one that enough of them have", async () => {
    await mine({ chain }, 3);
    const head = await headOf();
    const lateBy =
      (blocks: number): Lie =>
      ({ method, params }) =>
        method === "eth_getBlockByNumber" && params[0] === "latest"
          ? { result: { ...known.get(head - blocks) } }
          : undefined;
    const known = new Map<number, object>();
    for (const number of [head - 2, head - 1, head])
      known.set(number, await chain.request("eth_getBlockByNumber", [numberToHex(number), false]));
    const numberOf = async (lies: Lie[], agreeing: number) =>
      (await nodesThat(lies, agreeing).block("latest"))?.number;
    expect(await numberOf([honest, lateBy(2)], 2)).toBe(head - 2);
    expect(await numberOf([honest, lateBy(2), lateBy(1)], 2)).toBe(head - 1);
    expect(await numberOf([away, lateBy(2), honest], 2)).toBe(head - 2);
    expect(await numberOf([lateBy(2), honest, away], 1)).toBe(head);
  });

  test("also that nothing is final yet", async () => {
    const none: Lie = ({ method, params }) =>
      method === "eth_getBlockByNumber" && params[0] === "finalized"
        ? { error: { code: -39001, message: "finalized block not found" } }
        : undefined;
    expect(await nodesThat([none, none]).block("finalized")).toBeUndefined();
    expect(await nodesThat([honest, none]).block("finalized")).toBeUndefined();
    expect(await nodesThat([honest, none, honest], 2).block("finalized")).toBeDefined();
  });
});

describe("what they do not say alike is not", () => {
  const questions: [method: string, result: unknown, ask: (nodes: EvmNodes) => Promise<unknown>][] =
    [
      ["eth_getTransactionCount", "0x0", (nodes) => nodes.nonce(hotWallet, "latest")],
      ["eth_getBalance", "0x1", (nodes) => nodes.balance(hotWallet, ether, "latest")],
      [
        "eth_call",
        numberToHex(1, { size: 32 }),
        (nodes) => nodes.balance(hotWallet, dollar, "latest"),
      ],
      ["eth_getTransactionReceipt", null, (nodes) => nodes.receipt(lastHash)],
      ["eth_getBlockByNumber", null, async (nodes) => nodes.block(await headOf())],
      ["eth_getLogs", [], async (nodes) => movedIn(nodes)],
      ["eth_getBlockByHash", null, async (nodes) => movedIn(nodes)],
    ];
  let lastHash: Hex;
  beforeAll(async () => {
    lastHash = await chain.request("eth_sendTransaction", [
      {
        from: hotWallet,
        to: dollar.contract,
        data: `0xa9059cbb${"1".padStart(64, "0")}${"5".padStart(64, "0")}`,
      },
    ]);
  });

  async function movedIn(nodes: EvmNodes): Promise<unknown> {
    const block = await nodesThat([honest]).block("latest");
    assert(block, "there is a block");
    return nodes.transfers(block);
  }

  test.each(questions)("%s", async (method, result, ask) => {
    await expect(ask(nodesThat([honest, honest]))).resolves.toBeDefined();
    const doubted = ask(nodesThat([honest, saying(method, result)]));
    await expect(doubted).rejects.toBeInstanceOf(UnavailableError);
    await expect(doubted).rejects.toThrow(/ada\.example says .*ben\.example/);
    await expect(doubted).rejects.not.toThrow(/secret/);
    await expect(ask(nodesThat([honest, away]))).rejects.toThrow("ben.example fails");
  });

  test("whatever nonsense it is", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.constantFrom(...questions),
        async (junk, [method, , ask]) => {
          const nodes = nodesThat([saying(method, junk)]);
          const outcome = await ask(nodes).catch((error: unknown) => error);
          // A null is an answer, and so are numbers where they are asked for.
          const isAnswer = junk === null || typeof junk === "number" || Array.isArray(junk);
          if (!isAnswer) expect(outcome).toBeInstanceOf(UnavailableError);
          else
            expect(outcome instanceof Error && !(outcome instanceof UnavailableError)).toBe(false);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("and a node of another chain is the operator's to put right", async () => {
    const nodes = nodesThat([honest, saying("eth_chainId", "0x89")]);
    const asked = nodes.nonce(hotWallet, "latest");
    await expect(asked).rejects.toBeInstanceOf(OperatorError);
    await expect(asked).rejects.toThrow("ben.example is of chain 137, but ethereum is chain 1");
  });

  test("nor can more agree than there are", () => {
    expect(() => nodesThat([honest], 2)).toThrow(OperatorError);
  });
});

describe("what a block moved", () => {
  /** A node that gives all receipts of a block at once. */
  function generous(receipts: unknown[]): Lie {
    return ({ method }) => (method === "eth_getBlockReceipts" ? { result: receipts } : undefined);
  }

  test("is told in its order, without what failed, was nothing, or made a contract", async () => {
    const [, ben, cho] = traders;
    assert(ben && cho && dollar.contract, "there are traders");
    const to = newAddress();
    const word = (value: bigint | Hex) => BigInt(value).toString(16).padStart(64, "0");
    const transfer = (units: bigint): Hex => `0xa9059cbb${word(to)}${word(units)}`;
    const gas = numberToHex(200_000);
    const sent: object[] = [
      { from: ben.address, to, value: "0x5", gas },
      { from: ben.address, to: dollar.contract, data: transfer(42n), gas },
      { from: ben.address, to: dollar.contract, data: transfer(0n), gas },
      { from: ben.address, to: dollar.contract, data: transfer(2n ** 250n), gas },
      // Tokens take no Ether: this is reverted, and its value stays.
      { from: cho.address, to: dollar.contract, value: "0x9", data: transfer(1n), gas },
      { from: cho.address, value: "0x0", data: "0x00", gas },
      { from: cho.address, to: contracts.wrappedEther, value: "0x3", gas },
      { from: cho.address, to, value: "0x6", gas },
    ];
    // All in one block: an engine that is sent one mines it at once, so they go in from the back of the queue.
    const first = Number(
      await chain.request<Hex>("eth_getTransactionCount", [ben.address, "latest"]),
    );
    const other = Number(
      await chain.request<Hex>("eth_getTransactionCount", [cho.address, "latest"]),
    );
    const numbered = sent.map((one, index) => ({
      ...one,
      nonce: numberToHex(index < 4 ? first + index : other + index - 4),
    }));
    for (const one of numbered.toReversed()) await chain.request("eth_sendTransaction", [one]);
    const nodes = nodesThat([honest, honest]);
    const head = await headOf();
    const told: object[] = [];
    for (let number = head - 9; number <= head; number++) {
      const block = await nodes.block(number);
      assert(block, "there is a block");
      const moved = await nodes.transfers(block);
      const receipts = await Promise.all(
        (
          await chain.request<{ transactions: Hex[] }>("eth_getBlockByHash", [block.hash, false])
        ).transactions.map((hash) => chain.request("eth_getTransactionReceipt", [hash])),
      );
      expect(await nodesThat([honest, generous(receipts)]).transfers(block)).toEqual(moved);
      told.push(...moved.filter((one) => [ben.address, cho.address].includes(one.from)));
    }
    const fromBen = told.filter((one) => (one as { from: Hex }).from === ben.address);
    const fromCho = told.filter((one) => (one as { from: Hex }).from === cho.address);
    expect(fromBen).toMatchObject([
      { token: ether, to, units: 5n, logIndex: -1 },
      { token: dollar, to, units: 42n, logIndex: expect.any(Number) },
    ]);
    expect(fromCho).toMatchObject([
      { token: ether, to: contracts.wrappedEther, units: 3n },
      { token: ether, to, units: 6n },
    ]);
  });

  test("needs a receipt of that very block for each of its values", async () => {
    await sendEther(hotWallet, newAddress(), 1n);
    const block = await nodesThat([honest]).block("latest");
    assert(block, "there is a block");
    await expect(nodesThat([generous([])]).transfers(block)).rejects.toThrow("has no receipt of");
    const foreign = { blockHash: block.parentHash, transactionHash: block.hash, status: "0x1" };
    await expect(nodesThat([generous([foreign])]).transfers(block)).rejects.toThrow(
      "a receipt is of another block",
    );
  });
});

describe("signed bytes", () => {
  async function signed(nonce: number, maxFeePerGas = 10n ** 11n): Promise<Hex> {
    return signTransaction({
      privateKey: guest.key,
      transaction: {
        ...{ type: "eip1559", chainId: 1, nonce, to: hotWallet, value: 1n, gas: 21_000n },
        ...{ maxFeePerGas, maxPriorityFeePerGas: 10n ** 9n },
      },
    });
  }
  const refusing =
    (message: string): Lie =>
    ({ method }) =>
      method === "eth_sendRawTransaction" ? { error: { code: -32000, message } } : undefined;

  test("go to all, and it is enough when one has them, now or before", async () => {
    const nodes = nodesThat([away, honest]);
    const nonce = await nodesThat([honest]).nonce(guest.address, "latest");
    const raw = await signed(nonce);
    await nodes.send(raw);
    expect((await nodesThat([honest]).receipt(keccak256(raw)))?.succeeded).toBe(true);
    // The node says that the nonce is too low, and has them in a block.
    await nodesThat([honest]).send(raw);
    await nodesThat([refusing("already known")]).send(await signed(nonce + 1));
  });

  test.each([
    ["a nonce that others used", "nonce too low"],
    ["fees that are not high enough", "replacement transaction underpriced"],
    ["no money", "insufficient funds for gas * price + value"],
  ])("are refused with who said what: %s", async (_, message) => {
    const nodes = nodesThat([refusing(message), away]);
    const sending = nodes.send(await signed(1_000));
    await expect(sending).rejects.toThrow(`ada.example fails (${message}`);
    await expect(sending).rejects.toThrow("ben.example fails");
  });

  test("are not taken when the node names another hash", async () => {
    const nodes = nodesThat([saying("eth_sendRawTransaction", keccak256("0x02"))]);
    await expect(nodes.send(await signed(1_000))).rejects.toThrow("another hash");
  });
});

test("a call that the contract would refuse is not made", async () => {
  const call = { to: dollar.contract ?? "0x", value: 1n, data: "0x" } as const;
  await expect(nodesThat([honest]).estimateGas(hotWallet, call)).rejects.toThrow(
    "refuses the call",
  );
});

test("a node that suggests no tip is asked for its price", async () => {
  const lacking: Lie = ({ method }) =>
    method === "eth_maxPriorityFeePerGas"
      ? { error: { code: -32601, message: "the method does not exist" } }
      : undefined;
  const nodes = nodesThat([lacking]);
  const baseFee = (await nodes.block("latest"))?.baseFee ?? 0n;
  const price = BigInt(await chain.request<Hex>("eth_gasPrice"));
  expect(await nodes.fees()).toEqual({ maxFee: baseFee + price, priorityFee: price - baseFee });
  expect(await nodes.fees()).toEqual({ maxFee: baseFee + price, priorityFee: price - baseFee });
});
