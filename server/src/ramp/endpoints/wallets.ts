import type { Database } from "../../database/database.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import type { Sealer } from "../../lib/seal.ts";
import type { Ports } from "../ports.ts";

export type WalletContext = {
  db: Database;
  clock: Clock;
  random: Random;
  sealer: Sealer;
  ports: Pick<Ports, "screening">;
};

/** Wallets: where crypto goes to and comes from. */
export function walletEndpoints(_context: WalletContext): Endpoint[] {
  return [];
}
