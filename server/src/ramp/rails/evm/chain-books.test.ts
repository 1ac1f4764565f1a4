import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import {
  comparison,
  connect,
  newDepositAddress,
  passBlocks,
  stranger,
  useEvmWorld,
} from "../../../../test/evm-world.ts";
import { createPurchase, expectSound, wireOf } from "../../../../test/ramp-world.ts";
import { sql } from "../../../database/sql.ts";
import { asCents } from "../../../lib/money.ts";

const held = useEvmWorld();
const runs = 4;
let lastIndex = 0;

/** What makes money move. */
type Event =
  | { kind: "deposit"; symbol: "USDC" | "ETH"; units: bigint; again: boolean }
  | { kind: "purchase" }
  | { kind: "failure" }
  | { kind: "blocks"; count: number }
  | { kind: "reorganise"; depth: number };

const happening: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    kind: fc.constant("deposit" as const),
    symbol: fc.constantFrom("USDC" as const, "ETH" as const),
    units: fc.constantFrom(1n, 999_999n, 100_000_000n, 10n ** 15n),
    again: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("purchase" as const) }),
  fc.record({ kind: fc.constant("failure" as const) }),
  fc.record({ kind: fc.constant("blocks" as const), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant("reorganise" as const), depth: fc.integer({ min: 1, max: 3 }) }),
);

const everything: Event[] = [
  { kind: "purchase" },
  { kind: "deposit", symbol: "USDC", units: 100_000_000n, again: false },
  { kind: "blocks", count: 4 },
  { kind: "failure" },
  { kind: "blocks", count: 3 },
];

beforeAll(async () => {
  connect(held);
  // Small deposits are final before the blocks that they are in.
  const finality = { rule: "tag", tag: "safe" } as const;
  const { chain } = held.context;
  held.context.chain = { ...chain, smallDeposits: { belowCents: asCents(50_00n), finality } };
  held.evm.behind = { safe: 1, finalized: 3 };
  // No chain takes back what was there before we came.
  held.evm.mine(10);
  await passBlocks(held, 4);
});

test("whatever comes, goes and is taken back, the chain and the books say the same at every moment", async () => {
  const { world, evm } = held;
  let address = await newDepositAddress(held, ++lastIndex);

  const play = async (event: Event) => {
    switch (event.kind) {
      case "deposit": {
        if (!event.again) address = await newDepositAddress(held, ++lastIndex);
        const { symbol, units } = event;
        return void evm.transfer({ from: stranger, to: address, symbol, units });
      }
      case "purchase": {
        const { reference } = await createPurchase(world);
        return world.ports.tell(wireOf(world, [reference]));
      }
      case "failure":
        evm.reverts = () => {
          evm.reverts = undefined;
          return true;
        };
        return;
      case "blocks":
        return passBlocks(held, event.count);
      case "reorganise":
        evm.reorganise(event.depth);
        return passBlocks(held, event.depth + 1);
    }
  };

  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 5, maxLength: 12 }), async (events) => {
      for (const event of events) {
        await play(event);
        expect(await comparison(held)).not.toMatch(/broken|does not answer/);
      }
      await passBlocks(held, 14);
      expect(await comparison(held)).toBe("holds");
    }),
    // Runs go on where the last one ended, so a failure cannot be made smaller.
    { numRuns: runs, endOnFailure: true, examples: [[everything]] },
  );
  await expectSound(world);
  const sent = await world.db.query<{ purpose: string }>(sql`
    select distinct purpose from chain_transactions where state = 'final' order by purpose`);
  expect(sent.map(({ purpose }) => purpose)).toEqual(["gas", "payout", "sweep"]);
});
