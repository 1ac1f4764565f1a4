import { createPublicClient, createWalletClient, encodeFunctionData, erc20Abi, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { mainnet } from "viem/chains";
import type { Hex } from "../../server/src/chains/hex.ts";
import type { Address } from "../../server/src/database/address.ts";
import type { Database } from "../../server/src/database/database.ts";
import { sql } from "../../server/src/database/sql.ts";
import { built, openBenchDatabase } from "../built.ts";
import type { Postgres } from "../postgres.ts";
import { startProcess } from "../process.ts";
import { type BareRpc, bareRpc } from "./bare-rpc.ts";
import type { ChainAnswer } from "./chain-process.ts";
import { compare, type Way } from "./compare.ts";
import { counting } from "./counting.ts";
import {
  addPayouts,
  type ChainPayout,
  chainPayout,
  dollar,
  fill,
  hot,
  payoutIds,
  railsOn,
  rampChain,
} from "./scene.ts";

const { evmRail } = await built<typeof import("../../server/src/ramp/rails/evm/chain-rail.ts")>(
  "ramp/rails/evm/chain-rail",
);
const { hexSigner } =
  await built<typeof import("../../server/src/ramp/rails/evm/keys.ts")>("ramp/rails/evm/keys");
const { openEvmNodes } = await built<
  typeof import("../../server/src/ramp/rails/evm/open-evm-nodes.ts")
>("ramp/rails/evm/open-evm-nodes");
const { ownTransactionsWatch } = await built<
  typeof import("../../server/src/ramp/rails/evm/own-transactions.ts")
>("ramp/rails/evm/own-transactions");

const units = 1_000_000n;

/** How often, and how many payouts every time. */
type Amount = { rounds: number; payouts: number };

/** Pays tokens out on a chain until all is for good, beside who only sends, and beside viem, which remembers nothing. */
export async function benchChainPayouts(postgres: Postgres, amount: Amount): Promise<void> {
  const { rounds, payouts } = amount;
  const address = await postgres.create("bench_rails_chain");
  const chain = await startProcess<ChainAnswer>("./rails/chain-process.ts", {});
  const site = await openSite(address, chain.answer.url);
  const ours = oursOn(site, payouts);
  await compare(
    `${payouts} payouts of a token, one after the other, on a chain in a process of its own`,
    { rounds, things: payouts },
    [ours.way, floorOn(site), viemOn(site, payouts)],
  );
  const { statements, questions } = ours.took();
  console.log(
    `Each of ours takes ${(statements / payouts).toFixed(1)} statements and ${(questions / payouts).toFixed(1)} ` +
      "questions to the node, and is final and told in the end;\n" +
      "viem's is in a block; the floor sends the bytes that we signed.",
  );
  await site.db.close();
  await chain.stop();
}

/** A database, and a chain that can be taken back to where it was. */
type Site = {
  address: Address;
  url: string;
  rpc: BareRpc;
  db: Database;
  statements(): number;
  takeBack(): Promise<void>;
};

async function openSite(address: Address, url: string): Promise<Site> {
  const rpc = bareRpc(url);
  let snapshot = await rpc<Hex>("evm_snapshot");
  const { db, statements } = counting(openBenchDatabase(address, 2));
  return {
    ...{ address, url, rpc, db, statements },
    async takeBack() {
      await rpc("evm_revert", [snapshot]);
      snapshot = await rpc<Hex>("evm_snapshot");
    },
  };
}

/** What was asked of the database and of the node. */
type Took = { statements: number; questions: number };

function oursOn(site: Site, count: number): { way: Way; took(): Took } {
  const { address, url, rpc, db } = site;
  const rails = railsOn(db);
  // Every payout is a block, and none of them is for good before all are there.
  const chain = rampChain([url], count);
  const keys = { hot: hexSigner(hot.key), deposit: () => undefined };
  const blockTime = (seconds: number) => seconds * 1_000;
  let asked = 0;
  const counted: typeof fetch = (...request) => {
    asked++;
    return fetch(...request);
  };
  const nodes = openEvmNodes(chain, { fetch: counted });
  const evm = { ...rails, chain, nodes, keys, blockTime };
  const [rail, watch] = [evmRail(evm), ownTransactionsWatch(evm)];
  let payouts: ChainPayout[] = [];
  let first = 1;
  let took: Took = { statements: 0, questions: 0 };

  async function before(): Promise<void> {
    await site.takeBack();
    const ids = payoutIds(first, count);
    first += count;
    await fill(address, async (own) => {
      await own.query(sql`
        truncate payouts, chain_transactions, chain_attempts, chain_senders, rail_notices cascade`);
      await addPayouts(own, "chain", ids, units);
    });
    payouts = ids.map((id) => chainPayout(id, units));
  }

  async function work(): Promise<void> {
    const already = { statements: site.statements(), questions: asked };
    for (const payout of payouts) await rail.submit(payout);
    await look(count);
    await rpc("hardhat_mine", [`0x${count.toString(16)}`]);
    await look(count);
    took = {
      statements: site.statements() - already.statements,
      questions: asked - already.questions,
    };
    if ((await watch.run()) !== 0) throw new Error("Not every payout is final.");
  }

  async function look(expected: number): Promise<void> {
    rails.clock.advance(2_000);
    const seen = await watch.run();
    if (seen !== expected) throw new Error(`${seen} payouts were looked at, not ${expected}.`);
  }

  return { way: { name: "ours", before, work }, took: () => took };
}

/** Sends what was signed in the same round. */
function floorOn({ rpc, db, takeBack }: Site): Way {
  let signed: { raw: Hex }[] = [];
  return {
    name: "the floor: bare eth_sendRawTransaction",
    async before() {
      await takeBack();
      signed = await db.query(sql`
        select raw from chain_attempts a join chain_transactions t on t.id = a.transaction_id
        order by nonce`);
    },
    async work() {
      for (const { raw } of signed) await rpc("eth_sendRawTransaction", [raw]);
    },
  };
}

function viemOn({ url, takeBack }: Site, count: number): Way {
  const account = privateKeyToAccount(hot.key);
  // By itself it looks every four seconds, which nobody could be compared with.
  const options = { chain: mainnet, transport: http(url), pollingInterval: 5 };
  const wallet = createWalletClient({ ...options, account });
  const reader = createPublicClient(options);
  const { contract } = dollar;
  if (!contract) throw new Error("The dollar has no contract.");
  const ids = payoutIds(1, count);
  return {
    name: "viem: sendTransaction, waitForTransactionReceipt",
    before: takeBack,
    async work() {
      for (const id of ids) {
        const to = chainPayout(id, units).to as Hex;
        const data = encodeFunctionData({
          abi: erc20Abi,
          functionName: "transfer",
          args: [to, units],
        });
        const hash = await wallet.sendTransaction({ to: contract, data });
        const { status } = await reader.waitForTransactionReceipt({ hash });
        if (status !== "success") throw new Error(`viem's ${hash} is ${status}.`);
      }
    },
  };
}
