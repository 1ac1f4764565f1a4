import type { Address } from "../../server/src/database/address.ts";
import type { Database } from "../../server/src/database/database.ts";
import { sql } from "../../server/src/database/sql.ts";
import type { DepositContext } from "../../server/src/ramp/rails/evm/deposit-watch.ts";
import { built, openBenchDatabase } from "../built.ts";
import type { Postgres } from "../postgres.ts";
import { startProcess } from "../process.ts";
import { type BareRpc, bareRpc } from "./bare-rpc.ts";
import type { BlocksAnswer } from "./blocks-process.ts";
import { compare, type Way } from "./compare.ts";
import { dollar, fill, railsOn, rampChain } from "./scene.ts";
import {
  type BlockOrders,
  blockHash,
  emptyBlocks,
  firstTime,
  oursEvery,
} from "./synthetic-blocks.ts";

const { depositWatch } = await built<
  typeof import("../../server/src/ramp/rails/evm/deposit-watch.ts")
>("ramp/rails/evm/deposit-watch");
const { openEvmNodes } = await built<
  typeof import("../../server/src/ramp/rails/evm/open-evm-nodes.ts")
>("ramp/rails/evm/open-evm-nodes");
const { insertCursor } = await built<
  typeof import("../../server/src/ramp/rails/store/chain-blocks.ts")
>("ramp/rails/store/chain-blocks");

/** How often, how long the chain is, and among how many addresses of ours: first few, then many. */
type Amount = { rounds: number; blocks: number; perBlock: number; few: number; many: number };

/** Looks through a chain for deposits, with few and with many addresses to watch, beside who only asks and parses. */
export async function benchDeposits(postgres: Postgres, amount: Amount): Promise<void> {
  const { rounds, blocks, perBlock, few, many } = amount;
  const { contract } = dollar;
  if (!contract) throw new Error("The dollar has no contract.");
  const orders: BlockOrders = { blocks, perBlock, contract };
  const node = await startProcess<BlocksAnswer>("./rails/blocks-process.ts", orders);
  const { url } = node.answer;
  const fewSite = await openSite(postgres, few);
  const manySite = await openSite(postgres, many);
  const settle = () => postgres.settle();
  await compare(
    `${blocks} blocks with ${perBlock} transfers each, one of ${oursEvery} ours`,
    { rounds, things: blocks },
    [
      oursOn(manySite, url, `ours with ${many} open addresses`, orders, settle),
      oursOn(fewSite, url, `ours with ${few}`, orders, settle),
      { name: "the floor: eth_getLogs, parsed", work: () => askForLogs(bareRpc(url), blocks) },
      { name: "all that we ask, parsed", work: () => askForAll(bareRpc(url), blocks) },
    ],
  );
  for (const db of [fewSite, manySite]) await db.close();
  await node.stop();
}

async function openSite(postgres: Postgres, addresses: number): Promise<Database> {
  const address = await postgres.create(`bench_rails_deposits_${addresses}`);
  await fillAddresses(address, addresses);
  return openBenchDatabase(address, 2);
}

/** Sales that wait for their deposit, each with an address of its own. */
function fillAddresses(address: Address, count: number): Promise<void> {
  const at = new Date(firstTime * 1_000);
  return fill(address, (db) =>
    db.query(sql`
      insert into ramp_transactions (id, user_id, type, settlement_method, state, version, is_open,
        source_order_id, destination_order_id, wallet_id, bank_account_id, blockchain, currency,
        deposit_address, deposit_index, ramp, created_at, updated_at)
      select 'txn-' || n, 'usr-1', 'OFF_RAMP', 'ACH', 'AWAITING_DEPOSIT', 1, true, 'ord-1' || n,
        'ord-2' || n, 'wal-1', 'bac-1', 'ethereum', 'USDC',
        '0x' || left(encode(sha256(n::text::bytea), 'hex'), 40), n, '{}', ${at}, ${at}
      from generate_series(0, ${count - 1}::bigint) as n`),
  );
}

function oursOn(
  db: Database,
  url: string,
  name: string,
  { blocks, perBlock }: BlockOrders,
  settle: () => Promise<void>,
): Way {
  const rails = railsOn(db);
  const chain = rampChain([url], emptyBlocks);
  const context: DepositContext = {
    ...{ ...rails, chain, nodes: openEvmNodes(chain), keys: undefined },
    ...{ blockTime: (seconds) => seconds * 1_000, worthCents: () => undefined },
  };
  const watch = depositWatch(context);
  const deposits = Math.floor((blocks * perBlock) / oursEvery);
  return {
    name,
    async before() {
      await db.query(sql`truncate chain_deposits, chain_blocks, chain_cursors, rail_notices`);
      const from = { number: 0, hash: blockHash(0) };
      await db.transact((tx) => insertCursor(tx, "ethereum", from, new Date(rails.clock.now())));
      await settle();
    },
    async work() {
      for (let handled = -1; handled !== 0; ) handled = await watch.run();
      const final = await db.query(sql`select from chain_deposits where state = 'final'`);
      if (final.length !== deposits)
        throw new Error(`${final.length} deposits are final, not ${deposits}.`);
    },
  };
}

async function askForLogs(rpc: BareRpc, blocks: number): Promise<void> {
  const address = [dollar.contract];
  for (let number = 1; number <= blocks; number++) {
    await rpc("eth_getLogs", [{ blockHash: blockHash(number), address }]);
  }
}

async function askForAll(rpc: BareRpc, blocks: number): Promise<void> {
  const address = [dollar.contract];
  for (let number = 1; number <= blocks; number++) {
    const hash = blockHash(number);
    await rpc("eth_getBlockByNumber", [`0x${number.toString(16)}`, false]);
    await rpc("eth_getLogs", [{ blockHash: hash, address }]);
    await rpc("eth_getBlockByHash", [hash, true]);
    await rpc("eth_getBlockReceipts", [hash]);
  }
}
