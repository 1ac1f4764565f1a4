import {
  decodeFunctionData,
  erc20Abi,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  stringToHex,
} from "viem";
import type { Hex } from "../src/chains/hex.ts";
import { assert } from "../src/lib/errors.ts";
import { asUnits, type Units } from "../src/lib/money.ts";
import type {
  EvmBlock,
  EvmNodes,
  EvmReceipt,
  EvmTransfer,
} from "../src/ramp/rails/evm/evm-nodes.ts";
import type { ChainToken } from "../src/ramp/rails/evm/ramp-chain.ts";

const gwei = 10n ** 9n;

/** Money that somebody else sends; they have as much as they like. */
type OthersTransfer = { from: Hex; to: Hex; symbol: string; units: bigint };

/** What waits for a block, or is in one. */
type Pending = { hash: Hex } & (
  | { kind: "others"; transfer: OthersTransfer }
  | { kind: "gift"; to: Hex; symbol: string; units: bigint }
  | { kind: "signed"; sender: Hex; nonce: number; call: SignedCall }
);

type SignedCall = {
  to: Hex;
  value: bigint;
  data: Hex;
  gas: bigint;
  maxFee: bigint;
  priorityFee: bigint;
};

/** What everybody has and has sent after a block. Values are replaced and never changed. */
type State = { balances: ReadonlyMap<string, bigint>; nonces: ReadonlyMap<Hex, number> };

type Mined = {
  block: EvmBlock;
  contents: readonly Pending[];
  transfers: readonly EvmTransfer[];
  receipts: ReadonlyMap<Hex, EvmReceipt>;
  state: State;
};

/** A chain that does what a test says. */
export type MemoryEvm = {
  nodes: EvmNodes;
  /** What a block costs at least. Transactions that offer less wait. */
  baseFee: bigint;
  /** How many blocks below the newest one those with a tag are. What had a tag once has it for ever. */
  behind: { safe: number; finalized: number };
  /** When set, it is called before each question; throwing there is a node that fails. */
  onAsk: ((method: keyof EvmNodes) => void) | undefined;
  head(): EvmBlock;
  /** Gives an address money from nowhere in the next block, or takes it, and nothing tells of it. */
  give(to: Hex, symbol: string, units: bigint): void;
  /** Somebody else sends money, in the next block. Tokens that are not the chain's are sent and not told. */
  transfer(transfer: OthersTransfer): Hex;
  /** Makes blocks out of what waits. */
  mine(blocks?: number): void;
  /** Drops the newest blocks. What was in them waits again, after the others, unless `keep` says no to its hash. */
  reorganise(depth: number, keep?: (hash: Hex) => boolean): void;
  /** What no block takes, although it waits. */
  withheld: Set<Hex>;
  /** When set, it is asked whether a signed transaction that a block takes comes to nothing. */
  reverts: ((hash: Hex) => boolean) | undefined;
  /** Hashes of what waits. */
  waiting(): Hex[];
  balance(address: Hex, symbol: string): bigint;
  /** Transfers of the chain as it is now, with their blocks. */
  transfers(): { block: EvmBlock; transfer: EvmTransfer }[];
};

type Options = { tokens: readonly ChainToken[]; startTime?: number; blockSeconds?: number };

/** A chain in memory behind the same interface as real nodes: blocks, tokens, fees, nonces and reorganisations. */
export function memoryEvm({
  tokens,
  startTime = Date.UTC(2026, 0, 1) / 1000,
  blockSeconds = 12,
}: Options): MemoryEvm {
  const coin = tokens.find(({ contract }) => contract === undefined);
  assert(coin, "a chain has a coin of its own");
  let counter = 0;
  let waiting: Pending[] = [];
  const newHash = (what: string): Hex => keccak256(stringToHex(`${what} ${++counter}`));
  const genesis: Mined = {
    block: {
      ...{ number: 0, hash: newHash("block"), parentHash: `0x${"0".repeat(64)}` },
      ...{ time: startTime, baseFee: gwei },
    },
    ...{ contents: [], transfers: [], receipts: new Map() },
    state: { balances: new Map(), nonces: new Map() },
  };
  const chain: Mined[] = [genesis];
  const newest = () => chain.at(-1) ?? genesis;
  const tagged = { safe: 0, finalized: 0 };

  function mineOne(): void {
    const before = newest();
    const block: EvmBlock = {
      number: before.block.number + 1,
      hash: newHash("block"),
      parentHash: before.block.hash,
      // Blocks that replace others are not at the same times.
      time: before.block.time + blockSeconds + (counter % 3),
      baseFee: evm.baseFee,
    };
    const fails = (hash: Hex) => evm.reverts?.(hash) ?? false;
    const draft = openDraft(before.state, block, { tokens, coin: coin as ChainToken, fails });
    waiting = waiting.filter((one) => evm.withheld.has(one.hash) || !draft.take(one));
    chain.push(draft.seal());
    for (const tag of ["safe", "finalized"] as const)
      tagged[tag] = Math.max(tagged[tag], block.number - evm.behind[tag]);
  }

  const at = (which: "latest" | number): State => {
    const mined = which === "latest" ? newest() : chain[which];
    if (!mined) throw new Error(`there is no block ${which}`);
    return mined.state;
  };

  const numberOf = (which: number | "latest" | "safe" | "finalized"): number => {
    const head = newest().block.number;
    if (typeof which === "number") return which;
    return which === "latest" ? head : tagged[which];
  };

  async function send(raw: Hex): Promise<void> {
    const hash = keccak256(raw);
    const isKnown = [...chain.flatMap(({ contents }) => contents), ...waiting];
    if (isKnown.some((one) => one.hash === hash)) return;
    const { to, value = 0n, data = "0x", gas, nonce = 0, ...fees } = parseTransaction(raw);
    const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = fees;
    assert(to && gas, "a transaction has a receiver and a gas limit");
    const serialized = raw as `0x02${string}`;
    const sender = lower(await recoverTransactionAddress({ serializedTransaction: serialized }));
    if (nonce < (newest().state.nonces.get(sender) ?? 0)) throw new Error("nonce too low");
    const rival = waiting.find(
      (one) => one.kind === "signed" && one.sender === sender && one.nonce === nonce,
    );
    if (rival?.kind === "signed" && maxFeePerGas * 10n < rival.call.maxFee * 11n)
      throw new Error("replacement transaction underpriced");
    const has = newest().state.balances.get(keyOf(sender, coin as ChainToken)) ?? 0n;
    if (has < value + gas * maxFeePerGas) throw new Error("insufficient funds");
    const call = { to: lower(to), value, data: lower(data), gas, maxFee: maxFeePerGas };
    waiting = [
      ...waiting.filter((one) => one !== rival),
      {
        ...{ kind: "signed", hash, sender, nonce },
        call: { ...call, priorityFee: maxPriorityFeePerGas },
      },
    ];
  }

  const ask =
    <Args extends unknown[], Answer>(
      method: keyof EvmNodes,
      answer: (...args: Args) => Answer | Promise<Answer>,
    ) =>
    async (...args: Args): Promise<Answer> => {
      evm.onAsk?.(method);
      return answer(...args);
    };

  const nodes: EvmNodes = {
    block: ask("block", (which) => chain[numberOf(which)]?.block),
    transfers: ask("transfers", ({ number, hash }) => {
      const mined = chain[number];
      if (mined?.block.hash !== hash) throw new Error(`there is no block ${hash}`);
      return [...mined.transfers];
    }),
    receipt: ask("receipt", (hash) =>
      chain.map(({ receipts }) => receipts.get(hash)).find(Boolean),
    ),
    nonce: ask("nonce", (address, when) => at(when).nonces.get(lower(address)) ?? 0),
    balance: ask(
      "balance",
      (address, token, when) => at(when).balances.get(keyOf(lower(address), token)) ?? 0n,
    ),
    fees: ask("fees", () => ({ maxFee: evm.baseFee * 2n + gwei, priorityFee: gwei })),
    estimateGas: ask("estimateGas", (_, call) => gasOf(call)),
    send: ask("send", send),
    close: async () => {},
  };

  const evm: MemoryEvm = {
    nodes,
    baseFee: gwei,
    behind: { safe: 2, finalized: 5 },
    onAsk: undefined,
    withheld: new Set(),
    reverts: undefined,
    waiting: () => waiting.map(({ hash }) => hash),
    head: () => newest().block,
    give(to, symbol, units) {
      waiting.push({ kind: "gift", hash: newHash("gift"), to, symbol, units });
    },
    transfer(transfer) {
      const hash = newHash("transfer");
      waiting.push({ kind: "others", hash, transfer });
      return hash;
    },
    mine(blocks = 1) {
      for (let count = 0; count < blocks; count++) mineOne();
    },
    reorganise(depth, keep = () => true) {
      const dropped = chain.splice(Math.max(1, chain.length - depth));
      const contents = dropped.flatMap((mined) => mined.contents);
      waiting = [...waiting, ...contents.filter(({ hash }) => keep(hash))];
    },
    balance(address, symbol) {
      const token = tokens.find((one) => one.symbol === symbol);
      assert(token, `${symbol} is a token of the chain`);
      return newest().state.balances.get(keyOf(lower(address), token)) ?? 0n;
    },
    transfers: () =>
      chain.flatMap(({ block, transfers }) => transfers.map((transfer) => ({ block, transfer }))),
  };
  return evm;
}

/** A block that is being filled. */
function openDraft(
  before: State,
  block: EvmBlock,
  {
    tokens,
    coin,
    fails,
  }: { tokens: readonly ChainToken[]; coin: ChainToken; fails(hash: Hex): boolean },
): { take(pending: Pending): boolean; seal(): Mined } {
  const balances = new Map(before.balances);
  const nonces = new Map(before.nonces);
  const contents: Pending[] = [];
  const transfers: EvmTransfer[] = [];
  const receipts = new Map<Hex, EvmReceipt>();
  const baseFee = block.baseFee ?? 0n;
  let logs = 0;

  const has = (address: Hex, token: ChainToken) => balances.get(keyOf(address, token)) ?? 0n;
  const add = (address: Hex, token: ChainToken, units: bigint) =>
    balances.set(keyOf(address, token), has(address, token) + units);
  const note = (hash: Hex, token: ChainToken, from: Hex, to: Hex, units: Units) => {
    const logIndex = token === coin ? -1 : logs++;
    transfers.push({ transactionHash: hash, logIndex, token, from, to, units });
  };
  const receipt = (hash: Hex, succeeded: boolean, gasPaid: bigint) =>
    receipts.set(hash, {
      ...{ hash, blockNumber: block.number, blockHash: block.hash, succeeded, gasPaid },
    });

  function takeOthers(hash: Hex, { from, to, symbol, units }: OthersTransfer): boolean {
    const token = tokens.find((one) => one.symbol === symbol);
    receipt(hash, true, 0n);
    if (!token) return true;
    add(lower(to), token, units);
    note(hash, token, lower(from), lower(to), asUnits(units));
    return true;
  }

  const canBeTaken = (sender: Hex, nonce: number, call: SignedCall) =>
    (nonces.get(sender) ?? 0) === nonce &&
    call.maxFee >= baseFee &&
    has(sender, coin) >= call.value + call.gas * call.maxFee;

  /** A token's transfer moves nothing when the sender has too little, and is paid for all the same. */
  function takeSigned(hash: Hex, sender: Hex, nonce: number, call: SignedCall): boolean {
    if (!canBeTaken(sender, nonce, call)) return false;
    const wanted = baseFee + call.priorityFee;
    const price = call.maxFee < wanted ? call.maxFee : wanted;
    const gasPaid = price * gasOf(call);
    nonces.set(sender, nonce + 1);
    add(sender, coin, -gasPaid);
    const moved = movedBy(tokens, coin, call);
    const isPossible = moved !== undefined && has(sender, moved.token) >= moved.units;
    const succeeded = isPossible && !fails(hash);
    receipt(hash, succeeded, gasPaid);
    if (moved && succeeded) {
      add(sender, moved.token, -moved.units);
      add(moved.to, moved.token, moved.units);
      note(hash, moved.token, sender, moved.to, moved.units);
    }
    return true;
  }

  function takeGift(to: Hex, symbol: string, units: bigint): boolean {
    const token = tokens.find((one) => one.symbol === symbol);
    if (token) add(lower(to), token, units);
    return true;
  }

  function takeAny(pending: Pending): boolean {
    switch (pending.kind) {
      case "gift":
        return takeGift(pending.to, pending.symbol, pending.units);
      case "others":
        return takeOthers(pending.hash, pending.transfer);
      case "signed":
        return takeSigned(pending.hash, pending.sender, pending.nonce, pending.call);
    }
  }

  return {
    take(pending) {
      const isTaken = takeAny(pending);
      if (isTaken) contents.push(pending);
      return isTaken;
    },
    seal: () => ({ block, contents, transfers, receipts, state: { balances, nonces } }),
  };
}

function movedBy(
  tokens: readonly ChainToken[],
  coin: ChainToken,
  { to, value, data }: SignedCall,
): { token: ChainToken; to: Hex; units: Units } | undefined {
  if (data === "0x") return { token: coin, to, units: asUnits(value) };
  const token = tokens.find(({ contract }) => contract === to);
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data });
  if (!token || functionName !== "transfer") return undefined;
  return { token, to: lower(args[0]), units: asUnits(args[1]) };
}

const gasOf = ({ data }: { data: Hex }) => (data === "0x" ? 21_000n : 50_000n);
const lower = (hex: string) => hex.toLowerCase() as Hex;
const keyOf = (address: Hex, { symbol }: ChainToken) => `${address} ${symbol}`;
