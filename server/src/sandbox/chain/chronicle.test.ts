import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RpcTransactionReceipt } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { manualClock } from "../../../test/manual-clock.ts";
import { headOf, small, useSmallChains } from "../../../test/small-chain.ts";
import { temporaryFolder } from "../../../test/test-service.ts";
import type { Hex } from "../../chains/hex.ts";
import { guest, traders } from "./layout.ts";
import {
  type OpenSandboxChain,
  openSandboxChain,
  type Progress,
  type SandboxChainOptions,
} from "./open-sandbox-chain.ts";

const { open, openUntouched } = useSmallChains();

describe("what is kept", () => {
  const keeping = () => ({ journalFile: join(temporaryFolder(), "blocks.jsonl") });

  /** Closes a chain and opens it again from its journal. */
  async function reopen(chain: OpenSandboxChain, options: Partial<SandboxChainOptions>) {
    await chain.close();
    return open(options);
  }

  test("is replayed block by block, and goes on from there as it would have", async () => {
    const clock = manualClock();
    const options = { ...keeping(), clock };
    const first = await open(options);
    const { hash, number } = await headOf(first);
    const second = await reopen(first, options);
    expect(await headOf(second)).toMatchObject({ hash, number });
    clock.advance(4_000);
    await second.step();
    const uninterrupted = await open({ clock: manualClock() });
    await uninterrupted.step(Math.floor(clock.now() / 1_000));
    expect((await headOf(second)).hash).toBe((await headOf(uninterrupted)).hash);
  });

  test("may be half a history: the rest is the same as if nothing had happened", async () => {
    const options = { ...keeping(), clock: manualClock() };
    let reach = () => {};
    const half = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const onProgress = ({ done, total }: Progress) => done > total / 2 && reach();
    const stopped = await openSandboxChain({ ...small, ...options, onProgress });
    await half;
    await stopped.close();
    expect(stopped.progress().done).toBeLessThan(stopped.progress().total);
    const { hash } = await headOf(await open(options));
    expect(hash).toBe((await headOf(await openUntouched())).hash);
  });

  test("has what others did: signed, unlocked and impersonated", async () => {
    const options = { ...keeping(), clock: manualClock() };
    const chain = await open(options);
    const [to] = traders;
    const account = privateKeyToAccount(guest.key);
    const stranger = "0x00000000000000000000000000000000000a11ce";
    const send = (transaction: object) =>
      chain.request<Hex>("eth_sendTransaction", [
        { to: to?.address, value: "0x1", ...transaction },
      ]);
    const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n, gas: 21_000n };
    const signed = await account.signTransaction({
      ...fees,
      to: stranger,
      value: 10n ** 18n,
      chainId: 1,
      nonce: Number(await chain.request("eth_getTransactionCount", [guest.address, "latest"])),
    });
    const hashes = [
      await chain.request<Hex>("eth_sendRawTransaction", [signed]),
      await send({ from: guest.address }),
      await send({ from: guest.address, gasPrice: "0x174876e800" }),
    ];
    await chain.request("hardhat_impersonateAccount", [stranger]);
    hashes.push(await send({ from: stranger }));

    const head = await headOf(chain);
    const again = await reopen(chain, options);
    expect((await headOf(again)).hash).toBe(head.hash);
    for (const hash of hashes) {
      const receipt = await again.request<RpcTransactionReceipt>("eth_getTransactionReceipt", [
        hash,
      ]);
      expect(receipt.status).toBe("0x1");
    }
  });

  test("does not have what a reorganisation took away", async () => {
    const clock = manualClock();
    const options = { ...keeping(), clock };
    const chain = await open(options);
    const snapshot = await chain.request<Hex>("evm_snapshot");
    await chain.request("evm_mine");
    await chain.request("evm_mine");
    await chain.request("evm_revert", [snapshot]);
    clock.advance(9_000);
    await chain.step();
    const head = await headOf(chain);
    const again = await reopen(chain, options);
    expect(await headOf(again)).toMatchObject({ hash: head.hash, number: head.number });
  });

  test("that does not fit is left, and the chain takes another course that is kept in turn", async () => {
    const options = { ...keeping(), clock: manualClock() };
    const chain = await open(options);
    const { hash, number } = await headOf(chain);
    await chain.close();
    const journal = readFileSync(options.journalFile, "utf8");
    const lines = journal.split("\n");
    const middle = Math.floor(lines.length / 2);
    lines[middle] = lines[middle]?.replace(/"time":\d+/, '"time":1') ?? "";
    writeFileSync(options.journalFile, lines.join("\n"));

    const warnings: string[] = [];
    const other = await open({ ...options, warn: (message) => warnings.push(message) });
    expect(warnings).toEqual([expect.stringContaining(`from block ${middle} on`)]);
    const head = await headOf(other);
    expect(head.hash).not.toBe(hash);
    expect(Number(head.number)).toBeGreaterThan(Number(number) / 2);
    expect((await headOf(await reopen(other, options))).hash).toBe(head.hash);
  });

  test("cannot be changed in ways that could not be done again", async () => {
    const chain = await open(keeping());
    await expect(chain.request("hardhat_setBalance", [guest.address, "0x1"])).rejects.toThrow(
      "after a restart the chain could not do it again",
    );
  });
});
