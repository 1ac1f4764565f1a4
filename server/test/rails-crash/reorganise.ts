import type { Hex } from "../../src/chains/hex.ts";
import type { LocalRpc } from "../../src/sandbox/ramp/local-chain/local-rpc.ts";
import { headOf, mineAt } from "./customer-chain.ts";

/** A chain that takes back its newest blocks now and then. */
export type Reorganiser = {
  /** To be called after each round of a life. */
  afterRound(): Promise<void>;
  /** How many blocks were taken back so far. */
  taken(): number;
};

/** Takes back everything that is not for good after the rounds that `isTime` says, and lets as many other blocks follow. */
export async function openReorganiser(
  rpc: LocalRpc,
  finalityBlocks: number,
  isTime: (round: number) => boolean,
): Promise<Reorganiser> {
  const places: { block: number; snapshot: Hex }[] = [];
  let rounds = 0;
  let taken = 0;

  async function keepPlace(): Promise<void> {
    const { number: block } = await headOf(rpc);
    places.push({ block, snapshot: await rpc<Hex>("evm_snapshot") });
  }

  async function takeBack(): Promise<void> {
    const head = await headOf(rpc);
    const index = places.findIndex(({ block }) => block >= head.number - finalityBlocks);
    const place = places[index];
    if (!place || place.block === head.number) return;
    await rpc("evm_revert", [place.snapshot]);
    // Those that came later are gone with it.
    places.splice(index);
    for (let block = place.block; block <= head.number; block++)
      await mineAt(rpc, (head.time + 1) * 1_000);
    taken += head.number - place.block;
  }

  await keepPlace();
  return {
    async afterRound() {
      if (isTime(++rounds)) await takeBack();
      await keepPlace();
    },
    taken: () => taken,
  };
}
