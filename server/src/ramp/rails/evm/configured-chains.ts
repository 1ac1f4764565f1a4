import type { Hex } from "../../../chains/hex.ts";
import { assert, OperatorError } from "../../../lib/errors.ts";
import { asCents, asUnits, parseDecimal, type Units } from "../../../lib/money.ts";
import { checkEvmAddress } from "../../addresses/evm.ts";
import { supportedTokens } from "../../assets.ts";
import type { Blockchain } from "../../blockchains.ts";
import type { RailSettings } from "../rail-settings.ts";
import { evmDepositAddress } from "./deposit-addresses.ts";
import type { ChainToken, Finality, PayoutLimits, RampChain } from "./ramp-chain.ts";
import { tokenContracts } from "./token-contracts.ts";

type ChainSettings = NonNullable<RailSettings["chains"][string]>;
type LimitSettings = NonNullable<ChainSettings["limits"][string]>;

/** What an EVM chain is, whoever uses it. */
type ChainFacts = { chainId: number; coin: string; pollMs: number };

const facts: Partial<Record<Blockchain, ChainFacts>> = {
  ethereum: { chainId: 1, coin: "ETH", pollMs: 4_000 },
  polygon: { chainId: 137, coin: "POL", pollMs: 4_000 },
  arbitrum: { chainId: 42_161, coin: "ETH", pollMs: 4_000 },
  optimism: { chainId: 10, coin: "ETH", pollMs: 4_000 },
  base: { chainId: 8_453, coin: "ETH", pollMs: 4_000 },
  bnb: { chainId: 56, coin: "BNB", pollMs: 4_000 },
  avalanche: { chainId: 43_114, coin: "AVAX", pollMs: 4_000 },
};

const bumpAfterBlocks = 10;

/** A chain as the settings describe it. */
export function rampChainOf(blockchain: Blockchain, settings: ChainSettings): RampChain {
  const known = facts[blockchain];
  assert(known, `${blockchain} is an EVM chain: the settings take no other`);
  const { rpcUrls, agreeing, smallFinality, smallBelowUsd } = settings;
  const place = `ramp.rails.chains.${blockchain}`;
  if (new Set(rpcUrls).size < agreeing) {
    throw new OperatorError(
      `${place}.rpcUrls must hold at least as many different nodes as ${place}.agreeing says: ${agreeing}.`,
    );
  }
  checkDepositKey(settings.depositKey, `${place}.depositKey`);
  checkHotWallet(settings.hotWallet, `${place}.hotWallet`);
  const tokens = tokensOn(blockchain, known.coin);
  return {
    blockchain,
    ...{ chainId: known.chainId, rpcUrls, agreeing, tokens, bumpAfterBlocks },
    finality: finalityOf(settings.finality),
    smallDeposits:
      smallFinality !== undefined && smallBelowUsd > 0
        ? { belowCents: asCents(BigInt(smallBelowUsd) * 100n), finality: finalityOf(smallFinality) }
        : undefined,
    hotWallet: lowerHex(settings.hotWallet),
    depositKey: settings.depositKey,
    limits: Object.fromEntries(
      Object.entries(settings.limits).map(([symbol, limit]) => [
        symbol,
        limitsOf(tokens, symbol, limit, `${place}.limits.${symbol}`),
      ]),
    ),
    pollMs: known.pollMs,
  };
}

/** A key with a slip in it would give out addresses that nobody can empty. */
function checkDepositKey(depositKey: string, place: string): void {
  try {
    evmDepositAddress(depositKey, 0);
  } catch {
    throw new OperatorError(`${place} is no extended public key: its checksum does not fit.`);
  }
}

function checkHotWallet(hotWallet: string, place: string): void {
  const checked = checkEvmAddress(hotWallet);
  if ("address" in checked) return;
  throw new OperatorError(
    checked.fault === "checksum"
      ? `${place} fails its checksum; a letter or its case is wrong.`
      : `${place} is an address that nobody has a key to.`,
  );
}

function tokensOn(blockchain: Blockchain, coin: string): ChainToken[] {
  return supportedTokens
    .filter((token) => token.blockchain === blockchain)
    .map(({ symbol, decimals }) => {
      const contract = tokenContracts[blockchain]?.[symbol];
      assert(contract || symbol === coin, `${symbol} on ${blockchain} has a contract`);
      return { symbol, decimals, contract: contract && lowerHex(contract) };
    });
}

function finalityOf(setting: ChainSettings["finality"]): Finality {
  return typeof setting === "number"
    ? { rule: "depth", blocks: setting }
    : { rule: "tag", tag: setting };
}

function limitsOf(
  tokens: readonly ChainToken[],
  symbol: string,
  { floor, perPayout, perDay }: LimitSettings,
  place: string,
): PayoutLimits {
  const token = tokens.find((one) => one.symbol === symbol);
  if (!token) {
    const symbols = tokens.map((one) => one.symbol).join(", ");
    throw new OperatorError(
      `${place} is of no token there; those that can be limited: ${symbols}.`,
    );
  }
  const unitsOf = (quantity: string, name: keyof PayoutLimits): Units => {
    const units = parseDecimal(quantity, token.decimals);
    if (units !== undefined) return asUnits(units);
    throw new OperatorError(
      `${place}.${name} must be a quantity of ${symbol}: a plain decimal with at most ${token.decimals} decimals.`,
    );
  };
  return {
    floor: floor === undefined ? asUnits(0n) : unitsOf(floor, "floor"),
    perPayout: perPayout === undefined ? undefined : unitsOf(perPayout, "perPayout"),
    perDay: perDay === undefined ? undefined : unitsOf(perDay, "perDay"),
  };
}

const lowerHex = (text: string) => text.toLowerCase() as Hex;
