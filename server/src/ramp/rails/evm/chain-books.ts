import type { EvmContext } from "./chain-rail.ts";

/** What a chain holds for us, after everything that was told. */
export function chainBalances(
  _context: EvmContext,
): Promise<readonly { account: string; balance: bigint }[]> {
  throw new Error("not there yet");
}
