import type { PoolTrades } from "@slipway/sdk";
import type { Hex } from "../../chains/hex.ts";
import type { Clock } from "../../lib/clock.ts";
import type { DexContext } from "./dex-context.ts";

const patienceMs = 2_000;
/** A node is not asked for more than this at once; whoever wants more waits until they are stored. */
const askedMost = 1_000;
const unknownOrigin = '"origin":""';

/**
 * Asks the chain for the origins that trades, as JSON, lack. They are looked up after a trade is stored, so the newest
 * may lack theirs for a moment; a chain that does not answer in time leaves them empty.
 */
export async function fillOrigins(
  json: string,
  blockchain: string,
  { findOrigins, clock }: Pick<DexContext, "findOrigins" | "clock">,
): Promise<string> {
  if (!json.includes(unknownOrigin)) return json;
  const trades: PoolTrades = JSON.parse(json);
  const { burns = [], mints = [], swaps = [] } = trades;
  const lacking = [...burns, ...mints, ...swaps].filter(({ origin }) => origin === "");
  const hashes = [...new Set(lacking.map(({ id }) => transactionOf(id)))].slice(0, askedMost);
  const origins = await inTime(findOrigins(blockchain, hashes), clock);
  for (const trade of lacking) trade.origin = origins.get(transactionOf(trade.id)) ?? "";
  return JSON.stringify(trades);
}

function transactionOf(id: string): Hex {
  return `0x${id.slice(2, id.indexOf("#"))}`;
}

/** What nobody answers, or not in time, is not known. */
async function inTime(
  asked: Promise<ReadonlyMap<Hex, Hex>>,
  clock: Clock,
): Promise<ReadonlyMap<Hex, Hex>> {
  const none: ReadonlyMap<Hex, Hex> = new Map();
  const answered = new AbortController();
  const late = clock.sleep(patienceMs, answered.signal).then(() => none);
  try {
    return await Promise.race([asked.catch(() => none), late]);
  } finally {
    answered.abort();
  }
}
