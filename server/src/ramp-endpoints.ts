import { accountEndpoints } from "./accounts/endpoints/accounts.ts";
import { auditEndpoints } from "./accounts/endpoints/audit.ts";
import { subaccountEndpoints } from "./accounts/endpoints/subaccounts.ts";
import { verificationEndpoints } from "./accounts/endpoints/verification.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/database.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { UnavailableError } from "./lib/errors.ts";
import type { Log } from "./lib/log.ts";
import type { Random } from "./lib/random.ts";
import type { OpenRamp } from "./open-ramp.ts";
import { assetEndpoints } from "./ramp/endpoints/assets.ts";
import { bankAccountEndpoints } from "./ramp/endpoints/bank-accounts.ts";
import { blockchainEndpoints } from "./ramp/endpoints/blockchains.ts";
import { eventEndpoints } from "./ramp/endpoints/events.ts";
import { operatorEndpoints } from "./ramp/endpoints/operators.ts";
import { quoteEndpoints } from "./ramp/endpoints/quotes.ts";
import { transactionEndpoints } from "./ramp/endpoints/transactions.ts";
import { walletEndpoints } from "./ramp/endpoints/wallets.ts";
import { webhookEndpoints } from "./ramp/endpoints/webhooks.ts";
import { tellAboutAccounts } from "./ramp/events/tell.ts";
import type { Screening } from "./ramp/ports.ts";
import { sandboxRampEndpoints } from "./sandbox/endpoints/ramp-controls.ts";

type RampEndpointContext = {
  config: Pick<Config, "mode">;
  db: Database;
  ramp: OpenRamp;
  random: Random;
  log: Log;
};

/** Everything under `/v2/ramp` and `/operator`, and in the sandbox what makes things happen there. */
export function rampEndpoints(context: RampEndpointContext): Endpoint[] {
  const { db, random, log, ramp } = context;
  const { clock, sandboxClock, local, sealer, verifier, settings, runners } = ramp;
  const { ports, bank, reconciliation } = ramp;
  const { mode } = context.config;
  const told = tellAboutAccounts(random);
  const common = { db, clock, random, sealer, settings, mode, log };
  const screening = ports?.screening ?? nobodyScreens;
  const serves = ports?.serves ?? (() => true);
  return [
    ...blockchainEndpoints({ serves }),
    ...assetEndpoints({ serves }),
    ...subaccountEndpoints({ ...common, told }),
    ...walletEndpoints({ ...common, ports: { screening } }),
    ...bankAccountEndpoints({ ...common, ports: { screening } }),
    ...quoteEndpoints({ ...common, ports }),
    ...transactionEndpoints({ ...common, ports }),
    ...eventEndpoints(common),
    ...webhookEndpoints(common),
    ...verificationEndpoints({ ...common, told, verifier }),
    ...accountEndpoints(common),
    ...operatorEndpoints({ ...common, ports, bank, reconciliation }),
    ...auditEndpoints(common),
    ...(sandboxClock
      ? sandboxRampEndpoints({ ...common, clock: sandboxClock, runners, local })
      : []),
  ];
}

/** Whom nobody can look up is not let in. */
const nobodyScreens: Screening = {
  person: () => Promise.reject(noScreening()),
  wallet: () => Promise.reject(noScreening()),
};

const noScreening = () => new UnavailableError("No screening service is configured.");
