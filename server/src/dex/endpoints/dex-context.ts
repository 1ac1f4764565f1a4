import { Type } from "typebox";
import type { Hex } from "../../chains/hex.ts";
import type { Queryable } from "../../database/database.ts";
import { WithHeaders } from "../../http/answer.ts";
import { type AsOf, freshnessHeaders } from "../../http/freshness.ts";
import { Ready } from "../../http/ready.ts";
import type { Clock } from "../../lib/clock.ts";
import { CallerError } from "../../lib/errors.ts";
import type { Place } from "../store/read-list.ts";
import type { ServedChain } from "./served.ts";

/** What the endpoints need to answer. */
export type DexContext = {
  db: Queryable;
  clock: Clock;
  chains(): readonly ServedChain[];
  /** Where pictures of tokens are, with `{blockchain}`, `{address}` and `{symbol}` for each. */
  logoUrl: string;
  /** Asks the chain who sent these transactions. */
  findOrigins(blockchain: string, hashes: readonly Hex[]): Promise<ReadonlyMap<Hex, Hex>>;
};

/** What all of these endpoints have in common. */
export const common = { method: "GET", family: "data", scope: "data:read", status: 200 } as const;

/** Where those of one exchange on one blockchain are. */
export const under = "/dex/{exchange}/{blockchain}";

/** The path parameters of `under`. */
export const placeFields = {
  exchange: Type.String({ description: "such as `uniswap-v3`" }),
  blockchain: Type.String({ description: "such as `ethereum`" }),
};

/** JSON from the tables, with headers that tell how fresh it is. */
export function fresh(json: string, asOf: AsOf | undefined, clock: Clock): WithHeaders<Ready> {
  return new WithHeaders(new Ready(json), asOf ? freshnessHeaders(asOf, clock.now()) : {});
}

/** 404 for a block that has not been indexed yet. */
export function refuseLaterBlock(
  { exchange, blockchain }: Place,
  block: number | undefined,
  asOf: AsOf | undefined,
): void {
  if (block === undefined || (asOf && block <= asOf.block)) return;
  throw new CallerError(
    "not_found",
    asOf
      ? `Block ${block} is not there yet: ${exchange} on ${blockchain} has been indexed up to block ${asOf.block}.`
      : nothingYet({ exchange, blockchain }),
  );
}

/** 404 for something that the tables do not have. */
export function notFound(what: string, place: Place, asOf: AsOf | undefined): CallerError {
  const { exchange, blockchain } = place;
  return new CallerError(
    "not_found",
    asOf ? `${what} was not found on ${exchange} on ${blockchain}.` : nothingYet(place),
  );
}

function nothingYet({ exchange, blockchain }: Place): string {
  return `Nothing of ${exchange} on ${blockchain} has been indexed yet.`;
}
