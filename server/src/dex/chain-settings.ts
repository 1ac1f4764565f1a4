import { createRequire } from "node:module";
import { type Static, Type } from "typebox";
import { exchanges } from "./deployment.ts";

const addressForm = "0x and 40 hexadecimal digits, in one case or with the right checksum";

const address = (of: string) =>
  Type.Refine(
    Type.String({ description: `must be the address of ${of}: ${addressForm}` }),
    isAddress,
  );

const addresses = (of: string, options: { default?: string[] } = {}) =>
  Type.Array(address(of), { ...options, description: `must be a list: the address of ${of}, …` });

/** Written with or without quotes; kept as text, which has all its digits. */
const decimal = (form: RegExp, options: { default?: string; description: string }) =>
  Type.Refine(Type.Union([Type.String(), Type.Number()], options), (value) =>
    form.test(String(value)),
  );

const TokenOverride = Type.Object(
  {
    address: address("a token"),
    symbol: Type.String(),
    name: Type.String(),
    decimals: Type.Integer({ minimum: 0, maximum: 254 }),
  },
  {
    additionalProperties: false,
    description: "must have address, symbol, name and decimals (0 to 254)",
  },
);

const PreexistingPool = Type.Object(
  { pool: address("a pool"), token0: address("a token"), token1: address("a token") },
  {
    additionalProperties: false,
    description: "must have three addresses: pool, token0 and token1",
  },
);

const ExchangeSettings = Type.Object({
  factory: address("the contract that creates pools"),
  startBlock: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "must be the number of the block in which the factory was created",
  }),
  wrappedNative: address("the token that stands for the native coin"),
  stablePool: address("the pool whose price is the native coin's in dollars"),
  stablecoins: addresses("a token that is worth a dollar"),
  whitelist: addresses("a token whose price is believed"),
  minimumNativeLocked: decimal(/^\d{1,30}(\.\d{1,18})?$/, {
    description: "must be a number: a pool with more native coins than that in it gives prices",
  }),
  pools: Type.Union([Type.Literal("all"), Type.Array(address("a pool"))], {
    default: "all",
    description: `must be all, or a list of addresses of pools: ${addressForm}`,
  }),
  skipPools: addresses("a pool", { default: [] }),
  tokenOverrides: Type.Array(TokenOverride, {
    default: [],
    description: "must be a list of tokens with address, symbol, name and decimals",
  }),
  preexistingPools: Type.Array(PreexistingPool, {
    default: [],
    description: "must be a list of pools with pool, token0 and token1",
  }),
});

const exchangeIds = Object.keys(exchanges);

const NodeUrl = Type.Refine(
  Type.String({ description: "must be a URL that starts with http, https, ws or wss" }),
  isNodeUrl,
);

const ChainSettings = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, description: "must be the chain's name" }),
  chainId: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "must be the number that nodes of the chain give as eth_chainId",
  }),
  rpcUrls: Type.Array(NodeUrl, {
    minItems: 1,
    singular: "rpcUrl",
    isSecret: true,
    description: "must be a list of URLs of nodes, such as [https://node.example]",
  }),
  finalityBlocks: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    default: 64,
    description: "must be after how many blocks, from 1 to 100000, a block counts as final",
  }),
  totalDifficulty: decimal(/^\d{1,78}$/, {
    default: "0",
    description: "must be a whole number in quotes, for blocks whose node does not tell",
  }),
  agreeing: Type.Integer({
    minimum: 1,
    maximum: 10,
    default: 1,
    description: "must be how many answers with logs, from 1 to 10, have to agree",
  }),
  blocks: Type.Union(
    [Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.Literal("all")],
    { default: 10_000, description: "must be how many recent blocks to keep, or all" },
  ),
  exchanges: Type.Record(Type.String(), ExchangeSettings, {
    names: Type.Enum(exchangeIds, { description: `must be one of ${exchangeIds.join(", ")}` }),
    description: "must hold exchanges with their settings, or {} for none",
  }),
});

/** Blockchains under the ids that they have in paths. */
export const ChainsSchema = Type.Record(Type.String(), ChainSettings, {
  default: {},
  names: Type.String({
    pattern: "^[a-z0-9][a-z0-9-]{0,63}$",
    description: "must be an id as in paths: small letters, digits and hyphens",
  }),
  description: "must hold blockchains with their settings, such as ethereum: {rpcUrl: https://…}",
});

export type ChainSettings = Static<typeof ChainSettings>;
export type ExchangeSettings = Static<typeof ExchangeSettings>;

/** In one case any address will do; in both it carries a checksum, which catches slips of the pen. */
function isAddress(text: string): boolean {
  const digits = /^0x([0-9a-fA-F]{40})$/.exec(text)?.[1];
  if (!digits) return false;
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  return hasRightChecksum(text);
}

/** Loaded when first needed: that takes longer than all else that a short command does. */
function hasRightChecksum(address: string): boolean {
  const viem: typeof import("viem/utils") = createRequire(import.meta.url)("viem/utils");
  return viem.isAddress(address);
}

function isNodeUrl(text: string): boolean {
  return /^(https?|wss?):\/\/[^/]/i.test(text) && URL.canParse(text);
}
