import { decodeAbiParameters, type Hex as ViemHex } from "viem";
import type { Nodes } from "../../chains/chain.ts";
import type { Hex } from "../../chains/hex.ts";
import type { Database } from "../../database/database.ts";
import { OperatorError } from "../../lib/errors.ts";
import type { TokenOverride } from "../deployment.ts";
import {
  insertMetadata,
  listMetadata,
  noteSupplies,
  type StoredMetadata,
} from "../store/token-metadata.ts";
import type { TokenMetadata } from "./state.ts";

const selectors = {
  name: "0x06fdde03",
  symbol: "0x95d89b41",
  decimals: "0x313ce567",
  totalSupply: "0x18160ddd",
} as const satisfies Record<string, Hex>;

const textLengthMost = 256;
const decimalsMost = 255n;

export type TokenBookOptions = {
  db: Database;
  /** Without nodes only tokens that were met before can be learnt. */
  nodes: Nodes | undefined;
  blockchain: string;
  overrides: readonly TokenOverride[];
};

/** What is known about tokens: asked from their contracts once, and then kept. */
export type OpenTokenBook = {
  /** Tokens with decimals. The others cannot be indexed. */
  entries: ReadonlyMap<Hex, TokenMetadata>;
  /** Makes sure that all of these have been looked up. */
  learn(addresses: readonly Hex[], block: number): Promise<void>;
};

export function openTokenBook({
  db,
  nodes,
  blockchain,
  overrides,
}: TokenBookOptions): OpenTokenBook {
  const seen = new Set<Hex>();
  const entries = new Map<Hex, TokenMetadata>();

  function remember(stored: StoredMetadata): void {
    seen.add(stored.address);
    const { address, name, symbol, decimals } = withOverride(stored, overrides);
    if (decimals !== null) entries.set(address, { name, symbol, decimals });
  }

  async function ask(address: Hex, block: number): Promise<void> {
    if (!nodes) {
      throw new OperatorError(
        `What token ${address} says about itself is not stored. Start the service with an RPC URL for ${blockchain}.`,
      );
    }
    const calls = Object.values(selectors).map((data) => ({ to: address, data }));
    const [name, symbol, decimals, supply] = await nodes.call(calls);
    const metadata = {
      address,
      name: textIn(name),
      symbol: textIn(symbol),
      decimals: decimalsIn(decimals),
    };
    await insertMetadata(db, blockchain, metadata);
    await noteSupplies(db, blockchain, block, [{ address, supply: numberIn(supply) ?? 0n }]);
    remember(metadata);
  }

  return {
    entries,
    async learn(addresses, block) {
      const unseen = [...new Set(addresses)].filter((address) => !seen.has(address));
      if (unseen.length === 0) return;
      for (const stored of await listMetadata(db, blockchain, unseen)) remember(stored);
      const unknown = unseen.filter((address) => !seen.has(address));
      await Promise.all(unknown.map((address) => ask(address, block)));
    },
  };
}

/** What we know better than a contract wins. */
function withOverride(stored: StoredMetadata, overrides: readonly TokenOverride[]): StoredMetadata {
  return overrides.find(({ address }) => address === stored.address) ?? stored;
}

/** A text as most contracts give it, or as 32 bytes, as some old ones do. */
function textIn(result: Hex | undefined): string {
  const text = result && (dynamicText(result) ?? fixedText(result));
  return text ? clean(text) || "unknown" : "unknown";
}

function dynamicText(result: Hex): string | undefined {
  try {
    return decodeAbiParameters([{ type: "string" }], result as ViemHex)[0];
  } catch {
    return undefined;
  }
}

/** Some contracts answer anything with the number one; that is no name. */
function fixedText(result: Hex): string | undefined {
  if (result.length !== 66 || BigInt(result) === 1n) return undefined;
  return Buffer.from(result.slice(2), "hex").toString("utf8");
}

/** PostgreSQL keeps no NULs, and nobody needs a name of a megabyte. */
function clean(text: string): string {
  return Buffer.from(text.replaceAll("\0", "")).toString("utf8").slice(0, textLengthMost);
}

export function numberIn(result: Hex | undefined): bigint | undefined {
  return result && result.length === 66 ? BigInt(result) : undefined;
}

function decimalsIn(result: Hex | undefined): number | null {
  const decimals = numberIn(result);
  return decimals !== undefined && decimals < decimalsMost ? Number(decimals) : null;
}

/** The call that asks a token for its total supply. */
export function supplyCall(token: Hex): { to: Hex; data: Hex } {
  return { to: token, data: selectors.totalSupply };
}
