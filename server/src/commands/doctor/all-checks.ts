import type { Config } from "../../config.ts";
import type { Queryable } from "../../database/database.ts";
import { followedExchanges } from "../../followed-exchanges.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import { missingRails } from "../../live-rails.ts";
import type { Blockchain } from "../../ramp/blockchains.ts";
import { rampChainOf } from "../../ramp/rails/evm/configured-chains.ts";
import { openEvmNodes } from "../../ramp/rails/evm/open-evm-nodes.ts";
import { marketsOf } from "../../ramp/rails/prices/configured-markets.ts";
import type { ConfigLine } from "../../settings.ts";
import { bankFindings } from "./bank.ts";
import {
  auditFindings,
  comparisonFindings,
  fileFindings,
  killSwitchFindings,
  moneyFindings,
  webhookFindings,
} from "./books.ts";
import { nodeFindings } from "./chain-nodes.ts";
import { broken, type Check, type Finding, ok } from "./check.ts";
import { clockFindings } from "./clock.ts";
import type { Examined } from "./database.ts";
import { encryptionFindings } from "./encryption.ts";
import { exchangeFindings } from "./exchanges.ts";
import { hotWalletFindings } from "./hot-wallet.ts";
import { dataFolderFindings } from "./machine.ts";
import { priceFindings } from "./prices.ts";
import { rampChainFindings } from "./ramp-chain.ts";
import { busFindings, screeningFindings, verificationFindings } from "./services.ts";
import { countOf } from "./words.ts";

type CheckContext = {
  config: Config;
  lines: readonly ConfigLine[];
  database: Promise<Examined>;
  clock: Clock;
  random: Random;
  log: Log;
};

/** Each of the two questions to an SFTP server may take as long as it takes to connect. */
const bankMs = 50_000;

/** Everything that there is to look at with this configuration, in the order in which it is reported. */
export function allChecks(context: CheckContext): Check[] {
  const { config, lines, database, clock, log } = context;
  const { natsUrl } = config;
  return [
    { name: "configuration", look: async () => [configurationFinding(config, lines)] },
    { name: "data folder", look: () => dataFolderFindings(config) },
    { name: "database", after: database, look: async () => (await database).findings },
    { name: "clock", look: () => clockFindings(timeServers(config), { clock }) },
    ...(natsUrl ? [{ name: "NATS", look: () => busFindings(natsUrl, log) }] : []),
    ...dexChecks(context),
    ...exchangeChecks(context),
    ...railChecks(context),
    ...storedChecks(context),
  ];
}

function configurationFinding({ mode }: Config, lines: readonly ConfigLine[]): Finding {
  const origins = lines.map(({ origin }) => origin);
  const chosen = origins.filter((origin) => !["default", "built in", "not set"].includes(origin));
  return ok(`${mode} mode; ${countOf(chosen.length, "setting")} of your own`);
}

/** Whoever is configured and speaks HTTP tells the time with every answer. */
function timeServers({ chains, ramp, exchanges }: Config): string[] {
  const { screening, verification } = ramp.rails;
  const addresses = [
    ...Object.values(ramp.rails.chains).flatMap(({ rpcUrls }) => rpcUrls),
    ...(verification.personaKey ? [verification.personaUrl] : []),
    ...chains.flatMap(({ chain }) => chain.rpcUrls),
    ...exchanges.flatMap(({ baseUrl }) => baseUrl ?? []),
    ...(screening.watchmanUrl ? [screening.watchmanUrl] : []),
  ];
  const usable = addresses.filter((address) => /^https?:/.test(address) && URL.canParse(address));
  // Those at the end of an encrypted line come first.
  return usable.sort(
    (one, other) => Number(other.startsWith("https")) - Number(one.startsWith("https")),
  );
}

function dexChecks({ config, clock }: CheckContext): Check[] {
  return config.chains.map(({ chain }) => ({
    name: `nodes of ${chain.id}`,
    look: () =>
      nodeFindings(
        { ...chain, blockchain: chain.id, setting: `chains.${chain.id}`, tags: [] },
        { now: clock.now() },
      ),
  }));
}

/** Which markets make prices: in the sandbox only those that are named. */
function priceMarkets({
  mode,
  ramp,
  exchanges,
}: Config): Readonly<Record<string, readonly string[]>> {
  const { prices } = ramp.rails;
  return mode === "live" ? marketsOf(prices, exchanges) : prices.markets;
}

function exchangeChecks(context: CheckContext): Check[] {
  const named = Object.values(priceMarkets(context.config)).flat();
  return context.config.exchanges.map((exchange) => {
    const prefix = `${exchange.id}/`;
    const ours = named.filter((name) => name.startsWith(prefix));
    const markets = ours.map((name) => name.slice(prefix.length));
    return {
      name: exchange.id,
      look: () => exchangeFindings({ ...context, exchange, priceMarkets: [...new Set(markets)] }),
    };
  });
}

/** What money moves through, as far as it is configured. */
function railChecks(context: CheckContext): Check[] {
  const { config, lines, clock } = context;
  const { rails, wire } = config.ramp;
  const { bank, screening, verification } = rails;
  const { watchmanUrl } = screening;
  const isUnset =
    config.mode === "live" &&
    lines.some(({ name, origin }) => name === "ramp.wire.accountNumber" && origin === "default");
  return [
    { name: "ramp", look: async () => [rampFinding(config)] },
    ...Object.keys(rails.chains).flatMap((blockchain) => rampChainChecks(context, blockchain)),
    ...(bank
      ? [{ name: "bank", limitMs: bankMs, look: () => bankFindings(bank, { ...wire, isUnset }) }]
      : []),
    ...priceChecks(config),
    ...(watchmanUrl
      ? [{ name: "screening", look: () => screeningFindings(watchmanUrl, screening, clock) }]
      : []),
    { name: "verification", look: () => verificationFindings(verification) },
  ];
}

function rampFinding({ mode, ramp }: Config): Finding {
  if (mode === "sandbox") return ok("The sandbox's bank, chains and lists stand in for real ones");
  const { bank, chains, screening } = ramp.rails;
  const missing = missingRails(ramp.rails);
  if (missing.length === 0) return ok("A bank, a chain and screening are configured");
  if (!bank && !screening.watchmanUrl && Object.keys(chains).length === 0)
    return ok("Nothing is configured for it, so it takes no transactions");
  return broken({
    what: `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} missing.`,
    why: "Without it nothing can be bought or sold: the ramp takes no transactions.",
    fix: `Set ${missing.join(" and ")}.`,
  });
}

function rampChainChecks(context: CheckContext, blockchain: string): Check[] {
  const { config, clock } = context;
  const { chains, keys } = config.ramp.rails;
  const settings = chains[blockchain];
  if (!settings) return [];
  return [
    {
      name: `ramp on ${blockchain}`,
      look: () => rampChainFindings({ blockchain, settings, keys, now: clock.now() }),
    },
    {
      name: `wallet on ${blockchain}`,
      after: context.database,
      look: async () => {
        const chain = rampChainOf(blockchain as Blockchain, settings);
        const nodes = openEvmNodes(chain);
        try {
          const { db } = await context.database;
          return await hotWalletFindings({ chain, nodes, db, now: clock.now() });
        } finally {
          await nodes.close();
        }
      },
    },
  ];
}

function priceChecks(config: Config): Check[] {
  const markets = priceMarkets(config);
  const blockchains = Object.keys(config.ramp.rails.chains);
  if (blockchains.length === 0 && Object.keys(markets).length === 0) return [];
  const exchanges = followedExchanges(config, undefined).map(({ id }) => id);
  const settings = config.ramp.rails.prices;
  return [
    {
      name: "prices",
      look: async () => priceFindings({ markets, settings, blockchains, exchanges }),
    },
  ];
}

/** What the database tells. Without one there is nothing to say. */
function storedChecks(context: CheckContext): Check[] {
  const { config, database, clock, random } = context;
  type Ask = (books: { db: Queryable; clock: Clock }) => Promise<Finding[]>;
  const stored = (name: string, ask: Ask): Check => ({
    name,
    after: database,
    look: async () => {
      const { db } = await database;
      return db ? ask({ db, clock }) : [];
    },
  });
  return [
    stored("encryption keys", ({ db }) => encryptionFindings(config, db, random)),
    stored("kill switches", killSwitchFindings),
    stored("money", moneyFindings),
    stored("bank files", fileFindings),
    stored("reconciliation", comparisonFindings),
    stored("webhooks", (books) => webhookFindings(books, config.ramp.webhookPorts)),
    stored("audit log", auditFindings),
  ];
}
