import type { RpcBlock, RpcLog, RpcTransactionReceipt } from "viem";
import { afterAll, afterEach, expect } from "vitest";
import {
  type OpenSandboxChain,
  openSandboxChain,
  type SandboxChainOptions,
} from "../src/sandbox/chain/open-sandbox-chain.ts";
import { manualClock } from "./manual-clock.ts";

export const small = {
  warn: (message: string) => expect.fail(message),
  seed: 7,
  history: { days: 2, swaps: 60 },
  live: false,
  port: 0,
};

/** Sandbox chains with a small but complete history, closed after the test. */
export function useSmallChains() {
  const opened: OpenSandboxChain[] = [];
  let untouched: Promise<OpenSandboxChain> | undefined;
  afterEach(async () => {
    for (const chain of opened.splice(0)) await chain.close();
  });
  afterAll(async () => (await untouched)?.close());

  return {
    async open(options: Partial<SandboxChainOptions> = {}): Promise<OpenSandboxChain> {
      const chain = await openSandboxChain({ ...small, clock: manualClock(), ...options });
      opened.push(chain);
      await chain.seeded;
      return chain;
    },
    /** One that nobody writes to, for all tests of a file. */
    async openUntouched(): Promise<OpenSandboxChain> {
      untouched ??= openSandboxChain({ ...small, clock: manualClock() });
      await (await untouched).seeded;
      return untouched;
    },
  };
}

/** The newest block. */
export function headOf(chain: OpenSandboxChain): Promise<RpcBlock<"latest", false>> {
  return chain.request("eth_getBlockByNumber", ["latest", false]);
}

/** All logs that match a filter. */
export function logsOf(chain: OpenSandboxChain, filter: object): Promise<RpcLog[]> {
  return chain.request("eth_getLogs", [{ fromBlock: "0x0", toBlock: "latest", ...filter }]);
}

/** The outcome of every transaction: 1 or 0. */
export async function statusesIn(chain: OpenSandboxChain): Promise<string[]> {
  const statuses: string[] = [];
  const { number } = await headOf(chain);
  for (let block = 1; block <= Number(number); block++) {
    const { transactions } = await chain.request<RpcBlock<"latest", false>>(
      "eth_getBlockByNumber",
      [`0x${block.toString(16)}`, false],
    );
    for (const hash of transactions) {
      const receipt = await chain.request<RpcTransactionReceipt>("eth_getTransactionReceipt", [
        hash,
      ]);
      statuses.push(receipt.status);
    }
  }
  return statuses;
}
