import type { Verifier } from "./accounts/verification.ts";
import { personaHook, personaRunner, personaSettingsOf } from "./accounts/verifiers/persona.ts";
import type { LiveMarkets } from "./cex/live/live-markets.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/database.ts";
import { type DueRunner, dueRunner } from "./database/due.ts";
import type { ConfiguredChain } from "./dex/configured.ts";
import type { Hook } from "./http/hooks.ts";
import { type Sealing, sealerOf } from "./installation.ts";
import type { Clock } from "./lib/clock.ts";
import { assert } from "./lib/errors.ts";
import type { Log } from "./lib/log.ts";
import type { Random } from "./lib/random.ts";
import type { Sealer } from "./lib/seal.ts";
import { openLiveRails } from "./live-rails.ts";
import { marketDataOf } from "./market-data.ts";
import { tellAboutAccounts } from "./ramp/events/tell.ts";
import type { Ports, Prices } from "./ramp/ports.ts";
import type { BankProfile } from "./ramp/rails/bank/bank-profile.ts";
import { pricesWithFallback } from "./ramp/rails/prices/configured-markets.ts";
import { openMarketPrices } from "./ramp/rails/prices/market-prices.ts";
import type { RailContext } from "./ramp/rails/rail-context.ts";
import { evmBooks } from "./ramp/reconciliation/evm-books.ts";
import {
  type ReconciliationContext,
  reconciliationRunner,
} from "./ramp/reconciliation/reconcile.ts";
import type { ChainBooks } from "./ramp/reconciliation/reconcile-chain.ts";
import { rampRunners } from "./ramp/run-ramp.ts";
import type { RampSettings } from "./ramp/settings.ts";
import { purgeQuotes } from "./ramp/store/quotes.ts";
import { webhookRunner } from "./ramp/webhooks/deliver.ts";
import { sandboxBankOf } from "./sandbox/ramp/bank/sandbox-bank.ts";
import { openSandboxClock, type SandboxClock } from "./sandbox/ramp/clock.ts";
import { type LocalChain, openLocalChain } from "./sandbox/ramp/local-chain/open-local-chain.ts";
import { openSandboxPorts, sandboxRunners } from "./sandbox/ramp/ports.ts";
import { sandboxPrices } from "./sandbox/ramp/prices.ts";
import { sandboxVerifier } from "./sandbox/ramp/verifier.ts";

/** What the ramp is run with, and the work that it has to do when it is due. */
export type OpenRamp = {
  clock: Clock;
  /** Only the sandbox's time can be moved. */
  sandboxClock: SandboxClock | undefined;
  /** The sandbox's Ethereum, where it is a real one. */
  local: LocalChain | undefined;
  sealer: Sealer;
  /** Nothing: there is no bank and no chain to pay through. */
  ports: Ports | undefined;
  /** The bank through which dollars go. */
  bank: BankProfile | undefined;
  /** What our books are compared with. */
  reconciliation: ReconciliationContext | undefined;
  verifier: Verifier;
  settings: RampSettings;
  runners: readonly DueRunner[];
  /** Where others leave messages for it. */
  hooks: readonly Hook[];
  close(): Promise<void>;
};

/** What the ramp has to be told; plain values, so that a thread can be handed them. */
export type RampOrders = {
  mode: Config["mode"];
  sealing: Sealing;
  settings: RampSettings;
  /** Where the sandbox's Ethereum answers, if there is one. */
  localChainUrl?: string | undefined;
  /** The markets that make prices, by token; the others have the sandbox's fixed ones. */
  priceMarkets?: Readonly<Record<string, readonly string[]>>;
  /** Chains whose exchanges the prices are compared with: not the sandbox's, whose traders make them up. */
  comparedChains?: readonly ConfiguredChain[];
};

type Outside = {
  db: Database;
  clock: Clock;
  random: Random;
  log: Log;
  /** What the exchanges say; asked for only when their markets make prices. */
  live?: () => LiveMarkets;
  /** Money is only asked for here, not moved: no key of a wallet is read. */
  isWithoutKeys?: true;
};

/** Opens the ramp: in the sandbox with the sandbox's bank, chains and clock, otherwise with what is configured. */
export async function openRamp(orders: RampOrders, outside: Outside): Promise<OpenRamp> {
  const { mode, sealing, settings } = orders;
  const { db, clock: realClock, random, log } = outside;
  const sealer = sealerOf(sealing);
  const sandboxClock = mode === "sandbox" ? await openSandboxClock(db, realClock) : undefined;
  const clock = sandboxClock ?? realClock;
  const context = { db, clock, random, sealer, log };
  const stopping = new AbortController();
  const prices = openPrices(orders, outside, stopping.signal);
  const rails = await openRails(orders, outside, { ...context, sandboxClock }, prices);
  const reconciliation = rails && {
    ...context,
    news: rails.ports.news,
    chains: rails.chainBooks,
  };
  const persona = openPersona(orders, outside);
  const runners = [
    ...(rails?.runners ?? []),
    ...(persona?.runners ?? []),
    ...(rails ? rampRunners({ ...context, ports: rails.ports }) : []),
    ...(reconciliation ? [reconciliationRunner(reconciliation)] : []),
    dueRunner(context, purgeQuotes),
    webhookRunner({ ...context, realClock, mode, settings }),
  ];
  return {
    ...{ clock, sandboxClock, sealer, settings, runners },
    ports: rails?.ports,
    bank: rails?.bank,
    reconciliation,
    local: rails?.local,
    verifier: sandboxClock ? sandboxVerifier : { kind: persona ? "outside" : "nobody" },
    hooks: [...(rails?.hooks ?? []), ...(persona?.hooks ?? [])],
    async close() {
      stopping.abort();
      await rails?.close();
    },
  };
}

/** Prices of our own markets where some are named; in the sandbox all others stand still. */
function openPrices(
  { mode, settings, priceMarkets = {}, comparedChains = [] }: RampOrders,
  { db, clock, log, live }: Outside,
  signal: AbortSignal,
): Prices {
  const fixed = mode === "sandbox" ? sandboxPrices() : undefined;
  if (fixed && Object.keys(priceMarkets).length === 0) return fixed;
  assert(live, "there are markets to ask");
  const data = marketDataOf({ live: live(), db, chains: comparedChains });
  const { prices: priceSettings } = settings.rails;
  const options = { data, markets: priceMarkets, settings: priceSettings, clock, log };
  const prices = openMarketPrices(options);
  void prices.run(signal);
  return fixed ? pricesWithFallback(prices, priceMarkets, fixed) : prices;
}

type Rails = Pick<OpenRamp, "bank" | "runners" | "hooks" | "close"> & {
  ports: Ports;
  /** The chains whose balances can be compared with our books. */
  chainBooks: readonly ChainBooks[];
  local?: LocalChain | undefined;
};

/** What money goes through. */
async function openRails(
  { mode, settings, localChainUrl }: RampOrders,
  { isWithoutKeys }: Outside,
  context: RailContext & { sandboxClock: SandboxClock | undefined },
  prices: Prices,
): Promise<Rails | undefined> {
  if (mode === "live") {
    const movesMoney = !isWithoutKeys;
    return openLiveRails({ settings: settings.rails, context, prices, movesMoney });
  }
  const { sandboxClock: clock } = context;
  assert(clock, "the sandbox has a clock of its own");
  const local = localChainUrl ? openLocalChain({ ...context, clock }, localChainUrl) : undefined;
  const bank = sandboxBankOf(settings.rails.bank);
  const sandbox = { ...context, bank, local };
  const ports = { ...openSandboxPorts(sandbox), prices };
  const close = async () => local?.evm.nodes.close();
  const chainBooks = local ? [localBooks(local)] : [];
  const runners = sandboxRunners(sandbox);
  return { ports, local, bank, chainBooks, runners, hooks: [], close };
}

/** The sandbox's Ethereum is compared when it is there again. */
function localBooks({ evm, ensureReady }: LocalChain): ChainBooks {
  const books = evmBooks(evm);
  return { ...books, balances: () => ensureReady().then(books.balances) };
}

/** Whoever verifies accounts, if somebody is configured; in the sandbox the sandbox does. */
function openPersona(
  { mode, settings }: RampOrders,
  { db, clock, random, log }: Outside,
): Pick<OpenRamp, "runners" | "hooks"> | undefined {
  const persona = personaSettingsOf(settings.rails.verification);
  if (mode === "sandbox" || !persona) return undefined;
  const context = { db, clock, log, told: tellAboutAccounts(random), settings: persona };
  return { runners: [personaRunner(context)], hooks: [personaHook(context)] };
}
