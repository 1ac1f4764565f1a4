import { hexToNumber, numberToHex, type RpcBlock, type RpcTransaction } from "viem";
import type { Hex } from "../../chains/hex.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Engine } from "./engine.ts";
import type { Journal, KeptBlock, KeptTransaction } from "./journal.ts";
import { keepTransaction } from "./kept-transaction.ts";

export type Head = { number: number; time: number; hash: Hex };

type Block = RpcBlock<"latest", true, RpcTransaction<false>>;

/** Knows what blocks there are, writes them into the journal, and brings them back. */
export type Chronicle = {
  head(): Head;
  /** Learns which blocks are new, whoever made them, and which are gone. */
  update(): Promise<void>;
  /** Remembers the signed form of a transaction until it is mined. */
  remember(hash: Hex, signed: Hex): void;
  /** Mines the blocks of the journal again. */
  replay(signal: AbortSignal): Promise<void>;
};

type ChronicleOptions = {
  engine: Engine;
  journal: Journal | undefined;
  warn(message: string): void;
  /** Called when another block is the newest. */
  onHead(): void;
};

/** The chronicle of an engine that has only its first block. Without a journal it knows the newest block only. */
export async function openChronicle(options: ChronicleOptions): Promise<Chronicle> {
  const { engine, journal, warn, onHead } = options;
  let head = headOf(await blockAt("earliest"));
  /** Of all blocks, by number. */
  const hashes = [head.hash];
  /** The engine does not show all kinds of transactions in a form in which they could be sent again. */
  const signedForms = new Map<Hex, Hex>();

  function blockAt(number: number | "earliest" | "latest"): Promise<Block> {
    const block = typeof number === "number" ? numberToHex(number) : number;
    return engine.request("eth_getBlockByNumber", [block, true]);
  }

  function keep(block: Block, journal: Journal): void {
    const { number, time, hash } = headOf(block);
    journal.append({
      time,
      hash,
      transactions: block.transactions.map(
        (mined) => signedForms.get(mined.hash) ?? keepTransaction(mined),
      ),
    });
    hashes[number] = hash;
    for (const mined of block.transactions) signedForms.delete(mined.hash);
  }

  async function keepAllUpTo(latest: Block, journal: Journal): Promise<void> {
    if (latest.parentHash === hashes.at(-1)) return keep(latest, journal);
    const { number } = headOf(latest);
    let shared = Math.min(number, hashes.length - 1);
    while ((await blockAt(shared)).hash !== hashes[shared]) shared--;
    if (shared < hashes.length - 1) journal.backTo(shared);
    hashes.length = shared + 1;
    for (let next = shared + 1; next <= number; next++) keep(await blockAt(next), journal);
  }

  async function update(): Promise<void> {
    const latest = await blockAt("latest");
    if (latest.hash === head.hash) return;
    if (journal) await keepAllUpTo(latest, journal);
    head = headOf(latest);
    onHead();
  }

  async function resend(transaction: KeptTransaction): Promise<void> {
    if (typeof transaction === "string") {
      await engine.request("eth_sendRawTransaction", [transaction]);
      return;
    }
    const { impersonated } = transaction;
    await engine.request("hardhat_impersonateAccount", [impersonated.from]);
    await engine.request("eth_sendTransaction", [impersonated]);
    await engine.request("hardhat_stopImpersonatingAccount", [impersonated.from]);
  }

  async function repeat({ time, hash, transactions }: KeptBlock): Promise<void> {
    for (const transaction of transactions) await resend(transaction);
    await engine.request("evm_mine", [numberToHex(time)]);
    const mined = headOf(await blockAt("latest"));
    if (mined.hash !== hash) throw new Error(`its hash is ${mined.hash}, it was ${hash}`);
    head = mined;
    hashes[head.number] = hash;
    onHead();
  }

  return {
    head: () => head,
    update,
    remember: (hash, signed) => void signedForms.set(hash, signed),
    async replay(signal) {
      for (const block of journal?.blocks ?? []) {
        if (signal.aborted) return;
        try {
          await repeat(block);
        } catch (error) {
          const { number } = head;
          warn(
            `The sandbox chain takes another course from block ${number + 1} on, which cannot be repeated: ${messageOf(error)}.`,
          );
          journal?.backTo(number);
          return update();
        }
      }
    },
  };
}

function headOf({ number, timestamp, hash }: Block): Head {
  return { number: hexToNumber(number), time: hexToNumber(timestamp), hash };
}
