import { encodeAbiParameters, encodeFunctionData, pad, parseAbi, toHex } from "viem";
import type { Log, Nodes } from "../../chains/chain.ts";
import type { Hex } from "../../chains/hex.ts";
import type { Deployment } from "../deployment.ts";
import { poolFoundTopic } from "./events.ts";
import { numberIn } from "./token-book.ts";

const abi = parseAbi([
  "function fee() view returns (uint24)",
  "function tickSpacing() view returns (int24)",
  "function liquidity() view returns (uint128)",
  "function balanceOf(address) view returns (uint256)",
]);
const words = [
  { type: "int24" },
  { type: "address" },
  { type: "uint128" },
  { type: "uint256" },
  { type: "uint256" },
] as const;

/**
 * Asks the pools that are older than the chain's logs what they held when the factory first spoke, and writes the
 * answers down as logs of that moment: from then on they are stored and derived from like any other.
 */
export async function findPools(
  nodes: Nodes,
  { preexistingPools, factory }: Deployment,
  first: Log,
): Promise<Log[]> {
  const found = await Promise.all(
    preexistingPools.map(async ({ pool, token0, token1 }) => {
      const plain = (functionName: "fee" | "tickSpacing" | "liquidity") => ({
        to: pool,
        data: encodeFunctionData({ abi, functionName }),
      });
      const balanceOf = (token: Hex) => ({
        to: token,
        data: encodeFunctionData({ abi, functionName: "balanceOf", args: [pool] }),
      });
      const calls = [plain("fee"), plain("tickSpacing"), plain("liquidity")];
      const balances = [balanceOf(token0), balanceOf(token1)];
      const results = await nodes.call([...calls, ...balances], first.block);
      const [fee, tickSpacing, liquidity, balance0, balance1] = results.map(numberIn);
      if (fee === undefined || tickSpacing === undefined) return [];
      const topics = [poolFoundTopic, pad(token0), pad(token1), pad(toHex(fee))];
      const held = [liquidity ?? 0n, balance0 ?? 0n, balance1 ?? 0n] as const;
      const data = encodeAbiParameters(words, [Number(tickSpacing), pool, ...held]);
      return [{ ...first, address: factory, topics, data }];
    }),
  );
  return found.flat();
}
