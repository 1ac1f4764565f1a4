import { readFile } from "node:fs/promises";
import type { Hex } from "./chains/hex.ts";
import type { DueRunner } from "./database/due.ts";
import type { Hook } from "./http/hooks.ts";
import { messageOf, OperatorError, UnavailableError } from "./lib/errors.ts";
import type { Units } from "./lib/money.ts";
import { findToken } from "./ramp/assets.ts";
import type { Blockchain } from "./ramp/blockchains.ts";
import type { Ports, Prices } from "./ramp/ports.ts";
import { grossCents } from "./ramp/pricing.ts";
import { achRail } from "./ramp/rails/bank/ach-rail.ts";
import { type BankProfile, bankProfileOf } from "./ramp/rails/bank/bank-profile.ts";
import { bankRunners } from "./ramp/rails/bank/bank-runners.ts";
import { openFolderExchange } from "./ramp/rails/bank/folder-exchange.ts";
import { openSftpExchange } from "./ramp/rails/bank/sftp-exchange.ts";
import { bankHook } from "./ramp/rails/bank/webhook.ts";
import { wireRail } from "./ramp/rails/bank/wire-rail.ts";
import { chainBalances } from "./ramp/rails/evm/chain-books.ts";
import { type EvmContext, evmRail, railByBlockchain } from "./ramp/rails/evm/chain-rail.ts";
import { rampChainOf } from "./ramp/rails/evm/configured-chains.ts";
import { evmDepositAddress } from "./ramp/rails/evm/deposit-addresses.ts";
import { evmRunners } from "./ramp/rails/evm/evm-runners.ts";
import { hexSigner, sweepSigners } from "./ramp/rails/evm/keys.ts";
import { openKeystore } from "./ramp/rails/evm/keystore.ts";
import { openEvmNodes } from "./ramp/rails/evm/open-evm-nodes.ts";
import type { RampChain } from "./ramp/rails/evm/ramp-chain.ts";
import type { ChainKeys, Signer } from "./ramp/rails/evm/signer.ts";
import type { FileExchange } from "./ramp/rails/file-exchange.ts";
import type { RailContext } from "./ramp/rails/rail-context.ts";
import type { RailSettings } from "./ramp/rails/rail-settings.ts";
import { watchmanScreening } from "./ramp/rails/screening/watchman.ts";
import { railNews } from "./ramp/rails/store/notices.ts";
import { evmBooks } from "./ramp/reconciliation/evm-books.ts";
import type { ChainBooks } from "./ramp/reconciliation/reconcile-chain.ts";

/** The real bank, chains and lists, as the ramp talks to them, and the work that they make. */
export type OpenRails = {
  ports: Ports;
  bank: BankProfile;
  chainBooks: readonly ChainBooks[];
  runners: readonly DueRunner[];
  hooks: readonly Hook[];
  close(): Promise<void>;
};

type LiveOptions = {
  settings: RailSettings;
  context: RailContext;
  prices: Prices;
  /** Whether money is moved here: then the keys are needed. The API has none. */
  movesMoney: boolean;
};

/** Opens what is configured. Without a bank, a chain and screening no transaction could end: then there is nothing. */
export async function openLiveRails(options: LiveOptions): Promise<OpenRails | undefined> {
  const { settings, context, prices } = options;
  const missing = missingRails(settings);
  const { bank: bankSettings } = settings;
  const { watchmanUrl, minMatch } = settings.screening;
  if (missing.length > 0 || !bankSettings || !watchmanUrl) {
    context.log.warn(
      { missing },
      "the ramp takes no transactions: configure what is missing, and look with `slipway doctor`",
    );
    return undefined;
  }
  const bank = { ...context, bank: bankProfileOf(bankSettings) };
  const evm = await Promise.all(
    Object.entries(settings.chains).map(([blockchain, chain]) =>
      openChain(options, rampChainOf(blockchain as Blockchain, chain), chain),
    ),
  );
  const exchange = exchangeOf(bankSettings);
  const rails = Object.fromEntries(evm.map((chain) => [chain.chain.blockchain, evmRail(chain)]));
  const screening = { url: watchmanUrl, minMatch, clock: context.clock };
  const ports: Ports = {
    serves: (blockchain) => Object.hasOwn(settings.chains, blockchain),
    rails: { ach: achRail(bank), wire: wireRail(bank), chain: railByBlockchain(rails) },
    news: [
      railNews(context, "bank"),
      ...evm.map(({ chain }) => railNews(context, `chain:${chain.blockchain}`)),
    ],
    // What the bank holds is known from its statements, and compared with them.
    books: { balances: async () => (await Promise.all(evm.map(chainBalances))).flat() },
    prices,
    screening: watchmanScreening(screening),
    depositAddresses: { at: (blockchain, index) => addressAt(settings, blockchain, index) },
  };
  const worthCents = (blockchain: string) => worthBy(prices, blockchain);
  return {
    ports,
    bank: bank.bank,
    chainBooks: evm.map(evmBooks),
    runners: [
      ...bankRunners({ ...bank, exchange }),
      ...evm.flatMap((chain) =>
        evmRunners({ ...chain, worthCents: worthCents(chain.chain.blockchain) }),
      ),
    ],
    hooks: bankSettings.webhookSecret ? [bankHook(bank, bankSettings.webhookSecret)] : [],
    close: async () => void (await Promise.all(evm.map(({ nodes }) => nodes.close()))),
  };
}

/** The settings without which nothing can be bought or sold. */
export function missingRails({ bank, chains, screening }: RailSettings): string[] {
  return [
    ...(bank ? [] : ["ramp.rails.bank"]),
    ...(!bank || bank.folder || bank.sftp ? [] : ["ramp.rails.bank.folder or .sftp"]),
    ...(Object.keys(chains).length > 0 ? [] : ["ramp.rails.chains"]),
    ...(screening.watchmanUrl ? [] : ["ramp.rails.screening.watchmanUrl"]),
  ];
}

function exchangeOf({ folder, sftp }: NonNullable<RailSettings["bank"]>): FileExchange {
  if (sftp) return openSftpExchange(sftp);
  if (folder) return openFolderExchange(folder);
  throw new OperatorError("Set ramp.rails.bank.folder or ramp.rails.bank.sftp.");
}

async function openChain(
  { settings, context, movesMoney }: LiveOptions,
  chain: RampChain,
  chainSettings: RailSettings["chains"][string],
): Promise<EvmContext> {
  const keys = movesMoney ? await keysOf(settings, chain, chainSettings) : undefined;
  const blockTime = (unixSeconds: number) => unixSeconds * 1_000;
  return { ...context, chain, nodes: openEvmNodes(chain), keys, blockTime };
}

/** The keys of a chain's wallets. A key of another wallet is the operator's mistake. */
export async function keysOf(
  { keys }: Pick<RailSettings, "keys">,
  { blockchain, hotWallet }: Pick<RampChain, "blockchain" | "hotWallet">,
  { keystoreFile }: Pick<RailSettings["chains"][string], "keystoreFile">,
): Promise<ChainKeys> {
  const hot = await hotSigner(keys, keystoreFile);
  if (hot.address.toLowerCase() !== hotWallet.toLowerCase()) {
    throw new OperatorError(
      `The key is of ${hot.address}, but ramp.rails.chains.${blockchain}.hotWallet is ${hotWallet}.`,
    );
  }
  return { hot, deposit: keys.sweep ? sweepSigners(keys.sweep) : () => undefined };
}

async function hotSigner(
  { hotWallet, keystorePassword }: RailSettings["keys"],
  keystoreFile: string | undefined,
): Promise<Signer> {
  if (keystoreFile) {
    const json = await readFile(keystoreFile, "utf8").catch((cause) => {
      throw new OperatorError(`The keystore cannot be read: ${messageOf(cause)}`, { cause });
    });
    return hexSigner(await openKeystore(json, keystorePassword ?? ""));
  }
  if (hotWallet) return hexSigner(hotWallet as Hex);
  throw new OperatorError(
    "Set SLIPWAY_HOT_WALLET_KEY, or a keystoreFile for each chain and SLIPWAY_KEYSTORE_PASSWORD.",
  );
}

function addressAt({ chains }: RailSettings, blockchain: string, index: number): string {
  const chain = chains[blockchain];
  if (!chain) throw new UnavailableError(`This service is not connected to ${blockchain}.`);
  return evmDepositAddress(chain.depositKey, index);
}

/** What a quantity of a token is worth in cents; unknown without a price. */
export function worthBy(prices: Prices, blockchain: string) {
  return (currency: string, units: Units): bigint | undefined => {
    const token = findToken(currency, blockchain);
    const price = token && prices.current(token);
    return price && grossCents(units, price.priceE18, token.decimals);
  };
}
