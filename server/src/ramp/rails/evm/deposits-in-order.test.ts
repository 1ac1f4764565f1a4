import fc from "fast-check";
import { expect, test } from "vitest";
import {
  forgetChain,
  newDepositAddress,
  newEvm,
  stranger,
  toldBy,
  useEvmWorld,
} from "../../../../test/evm-world.ts";
import type { MemoryEvm } from "../../../../test/memory-evm.ts";
import type { Hex } from "../../../chains/hex.ts";
import type { Database } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import { depositWatch } from "./deposit-watch.ts";

const held = useEvmWorld();
const runs = 25;

/** What happens on a chain and to whoever watches it. */
type Event =
  | { kind: "transfer"; to: number; symbol: "USDC" | "ETH"; units: bigint }
  | { kind: "mine"; blocks: number }
  | { kind: "reorganise"; depth: number; lose: number; blocks: number }
  /** Dies at the so manieth question, statement or commit; lives when there are fewer. */
  | { kind: "watch"; diesAt: number };

const happening: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    kind: fc.constant("transfer" as const),
    to: fc.nat(3),
    symbol: fc.constantFrom("USDC" as const, "ETH" as const),
    units: fc.bigInt(0n, 9n),
  }),
  fc.record({ kind: fc.constant("mine" as const), blocks: fc.integer({ min: 1, max: 4 }) }),
  fc.record({
    kind: fc.constant("reorganise" as const),
    depth: fc.integer({ min: 1, max: 5 }),
    lose: fc.integer({ min: 1, max: 4 }),
    blocks: fc.nat(6),
  }),
  fc.record({ kind: fc.constant("watch" as const), diesAt: fc.integer({ min: 1, max: 60 }) }),
);

test("whatever a chain does and wherever its watcher dies, its final transfers are told once and others are not", async () => {
  const { world, context } = held;
  const addresses: Hex[] = [];
  for (let index = 0; index < 3; index++) addresses.push(await newDepositAddress(held, index + 1));

  const watch = async (evm: MemoryEvm, diesAt: number) => {
    const fuse = { left: diesAt };
    const burn = () => {
      if (--fuse.left <= 0) throw new Error("the process has died");
    };
    evm.onAsk = burn;
    world.clock.advance(61_000);
    const watcher = depositWatch({ ...context, nodes: evm.nodes, db: mortal(world.db, burn) });
    try {
      while ((await watcher.run()) > 0);
    } catch (error) {
      expect(fuse.left, String(error)).toBeLessThanOrEqual(0);
    }
    evm.onAsk = undefined;
  };

  const play = async (evm: MemoryEvm, event: Event) => {
    switch (event.kind) {
      case "transfer":
        return void evm.transfer({
          ...{ from: stranger, to: addresses[event.to] ?? stranger },
          ...{ symbol: event.symbol, units: event.units },
        });
      case "mine":
        return evm.mine(event.blocks);
      case "reorganise": {
        let count = 0;
        const final = await evm.nodes.block("finalized");
        const depthMost = evm.head().number - (final?.number ?? 0);
        evm.reorganise(Math.min(event.depth, depthMost), () => ++count % event.lose !== 0);
        return evm.mine(event.blocks);
      }
      case "watch":
        return watch(evm, event.diesAt);
    }
  };

  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 5, maxLength: 25 }), async (events) => {
      await forgetChain(world.db);
      const evm = newEvm(world);
      await watch(evm, Number.MAX_SAFE_INTEGER);
      for (const event of events) await play(evm, event);
      evm.mine(7);
      await watch(evm, Number.MAX_SAFE_INTEGER);
      await expectTold(evm, new Set(addresses));
    }),
    { numRuns: runs },
  );
});

/** What was told is what the chain has; the rest of it is gone. Each is told once to be final, and in order. */
async function expectTold(evm: MemoryEvm, ours: ReadonlySet<Hex>): Promise<void> {
  const there = evm
    .transfers()
    .filter(({ transfer: { to, units } }) => ours.has(to) && units > 0n)
    .map(({ block, transfer }) => ({
      ...{ transactionHash: transfer.transactionHash, logIndex: transfer.logIndex },
      ...{ units: transfer.units, currency: transfer.token.symbol, blockTime: block.time * 1_000 },
    }));
  const told = (await toldBy(held)).filter((notice) => "logIndex" in notice);
  const names = [...new Set(told.map(nameOf))];
  const last = names.flatMap((name) => {
    const notices = told.filter((one) => nameOf(one) === name);
    expect(notices.filter(({ kind }) => kind === "deposit_final").length).toBeLessThanOrEqual(1);
    expect(notices[0]?.kind).toBe("deposit_seen");
    const times = notices.map(({ at }) => at);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    return notices.slice(-1);
  });
  const finals = last.filter(({ kind }) => kind === "deposit_final");
  expect(sorted(finals)).toMatchObject(sorted(there));
  expect(last.filter(({ kind }) => kind === "deposit_seen")).toEqual([]);
  const [row] = await held.world.db.query(sql`
    select c.final_block::int as final, count(d.*)::int as deposits,
      (select count(*)::int from chain_blocks) as kept
    from chain_cursors c left join chain_deposits d on d.state = 'final' group by c.final_block`);
  expect(row).toEqual({ final: evm.head().number - 5, deposits: there.length, kept: 6 });
}

type Named = { transactionHash: string; logIndex: number };
const nameOf = ({ transactionHash, logIndex }: Named) => `${transactionHash} ${logIndex}`;

function sorted<One extends Named>(all: readonly One[]): One[] {
  return [...all].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** A database whose user can die before and after whatever it does. */
function mortal(db: Database, burn: () => void): Database {
  return {
    ...db,
    async query(statement) {
      burn();
      return db.query(statement);
    },
    async transact(work) {
      burn();
      const result = await db.transact(async (tx) => {
        const done = await work(tx);
        burn();
        return done;
      });
      burn();
      return result;
    },
  };
}
