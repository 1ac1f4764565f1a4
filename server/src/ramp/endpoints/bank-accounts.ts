import type { Endpoint } from "../../http/endpoint.ts";
import type { RampSettings } from "../settings.ts";
import type { WalletContext } from "./wallets.ts";

export type BankAccountContext = WalletContext & {
  settings: Pick<RampSettings, "accountNumberDisplay">;
};

/** Bank accounts: where dollars go to. */
export function bankAccountEndpoints(_context: BankAccountContext): Endpoint[] {
  return [];
}
