import type { Verifier } from "./accounts/verification.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/database.ts";
import { type DueRunner, dueRunner } from "./database/due.ts";
import { type Sealing, sealerOf } from "./installation.ts";
import type { Clock } from "./lib/clock.ts";
import type { Log } from "./lib/log.ts";
import type { Random } from "./lib/random.ts";
import type { Sealer } from "./lib/seal.ts";
import type { Ports } from "./ramp/ports.ts";
import { rampRunners } from "./ramp/run-ramp.ts";
import type { RampSettings } from "./ramp/settings.ts";
import { purgeQuotes } from "./ramp/store/quotes.ts";
import { webhookRunner } from "./ramp/webhooks/deliver.ts";
import { openSandboxClock, type SandboxClock } from "./sandbox/ramp/clock.ts";
import { openSandboxPorts, sandboxRunners } from "./sandbox/ramp/ports.ts";
import { sandboxVerifier } from "./sandbox/ramp/verifier.ts";

/** What the ramp is run with, and the work that it has to do when it is due. */
export type OpenRamp = {
  clock: Clock;
  /** Only the sandbox's time can be moved. */
  sandboxClock: SandboxClock | undefined;
  sealer: Sealer;
  /** Nothing: there is no bank and no chain to pay through. */
  ports: Ports | undefined;
  verifier: Verifier;
  settings: RampSettings;
  runners: readonly DueRunner[];
};

/** What the ramp has to be told; plain values, so that a thread can be handed them. */
export type RampOrders = { mode: Config["mode"]; sealing: Sealing; settings: RampSettings };

/** Without a verifier a person decides. */
const nobodyDecides: Verifier = () => undefined;

/** Opens the ramp: in the sandbox with the sandbox's bank, chains and clock. */
export async function openRamp(
  { mode, sealing, settings }: RampOrders,
  { db, clock: realClock, random, log }: { db: Database; clock: Clock; random: Random; log: Log },
): Promise<OpenRamp> {
  const sealer = sealerOf(sealing);
  const sandboxClock = mode === "sandbox" ? await openSandboxClock(db, realClock) : undefined;
  const clock = sandboxClock ?? realClock;
  const ports = sandboxClock && openSandboxPorts({ db, clock });
  const context = { db, clock, random, sealer, log };
  const runners = [
    ...(ports ? rampRunners({ ...context, ports }) : []),
    dueRunner(context, purgeQuotes),
    webhookRunner({ ...context, realClock, mode, settings }),
    ...(sandboxClock ? sandboxRunners(context) : []),
  ];
  const verifier = sandboxClock ? sandboxVerifier : nobodyDecides;
  return { clock, sandboxClock, sealer, ports, verifier, settings, runners };
}
