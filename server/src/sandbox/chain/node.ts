import { numberToHex } from "viem";
import type { Hex } from "../../chains/hex.ts";
import type { Chronicle } from "./chronicle.ts";
import { type Engine, RpcError, type Transaction, toRequest } from "./engine.ts";
import { guarded } from "./guard.ts";

/** A chain to which several may add blocks, one at a time. */
export type SandboxNode = {
  /** Does something while nobody else makes blocks. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Mines a block. Only to be called in turn. */
  mine(time: number, transactions: readonly Transaction[]): Promise<void>;
  /** Answers a request from outside, as JSON: `{"result":…}` or `{"error":…}`. Throws an `RpcError`. */
  answer(method: string, params: readonly unknown[]): Promise<string>;
};

type NodeOptions = {
  engine: Engine;
  chronicle: Chronicle;
  /** Whether the chain must be able to do everything again after a restart. */
  isKept: boolean;
  /** The time of a block that somebody asks for, unless the newest block is later. */
  timeNow(): number;
};

const sending = new Set(["eth_sendTransaction", "eth_sendRawTransaction"]);
const steering = /^(evm|hardhat)_/;
const unrepeatable = /^(hardhat_(set|drop|mine)|evm_set(Automine|IntervalMining|BlockGasLimit))/;
const methodNotFound = -32601;

/** Puts the rules of taking turns around an engine. Who only looks does not wait. */
export function openNode({ engine, chronicle, isKept, timeNow }: NodeOptions): SandboxNode {
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  }

  async function mineAt(time: number): Promise<void> {
    await engine.request("evm_mine", [numberToHex(time)]);
    await chronicle.update();
  }

  /** Nobody has to wait for the traders: a transaction from outside is mined at once. */
  async function send(method: string, params: readonly unknown[]): Promise<string> {
    const answer = await engine.answer(method, params);
    const { result } = JSON.parse(answer) as { result?: Hex };
    if (!result) return answer;
    const [signed] = params;
    if (typeof signed === "string")
      chronicle.remember(result, `0x${signed.slice(2).toLowerCase()}`);
    await mineAt(Math.max(timeNow(), chronicle.head().time + 1));
    return answer;
  }

  async function steer(method: string, params: readonly unknown[]): Promise<string> {
    const answer = await engine.answer(method, params);
    await chronicle.update();
    return answer;
  }

  return {
    inTurn,
    async mine(time, transactions) {
      for (const transaction of transactions) {
        await engine.request("eth_sendTransaction", [toRequest(transaction)]);
      }
      await mineAt(time);
    },
    async answer(method, given) {
      const params = guarded(method, given, chronicle.head().number);
      if (sending.has(method)) return inTurn(() => send(method, params));
      if (!steering.test(method)) return engine.answer(method, params);
      if (isKept && unrepeatable.test(method)) {
        throw new RpcError(
          methodNotFound,
          `${method} is not available: after a restart the chain could not do it again.`,
        );
      }
      return inTurn(() => steer(method, params));
    },
  };
}
