import type { Actor, Pool } from "../layout.ts";

/** Where positions begin and end, as parts of the price: 0.9 is ten percent below it. */
export type Range = { from: number; to: number };

/** Which way a swap goes: it sells token 0 for token 1, or the other way round. */
export type Side = "sell0" | "sell1";

/** What somebody in the market wants to do next. */
export type Order =
  | { kind: "swap"; trader: Actor; pool: Pool; side: Side; usd: number; exact: "input" | "output" }
  /** Two swaps in one transaction: there and, for a part, back. */
  | { kind: "swap twice"; trader: Actor; pool: Pool; side: Side; usd: number }
  /** Through two pools that share a token, in one transaction. */
  | { kind: "route"; trader: Actor; first: Pool; second: Pool; usd: number }
  /** Asks for more than it can get: the transaction fails. */
  | { kind: "hopeless swap"; trader: Actor; pool: Pool; side: Side; usd: number }
  /** Trades until the pool's price is this. */
  | { kind: "move price"; trader: Actor; pool: Pool; side: Side; price: number }
  | { kind: "open pool"; pool: Pool }
  | { kind: "provide"; provider: Actor; pool: Pool; range: Range; usd: number }
  /** Takes a part out of some position; `which` from 0 to 1 chooses among those there are. */
  | { kind: "withdraw"; which: number; part: number }
  /** Takes the fees of some position. The exchange pokes it with an empty burn before. */
  | { kind: "collect"; which: number }
  | { kind: "flash"; trader: Actor; pool: Pool; usd0: number; usd1: number }
  | { kind: "set protocol fee"; pool: Pool; fee0: number; fee1: number }
  | { kind: "collect protocol fee"; pool: Pool };
