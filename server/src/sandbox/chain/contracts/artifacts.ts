import { createRequire } from "node:module";
import { isHex } from "viem";
import type { Hex } from "../../../chains/hex.ts";
import { assert } from "../../../lib/errors.ts";
import { isObject } from "../../../lib/is-object.ts";

const require = createRequire(import.meta.url);

/** The very contracts that are on Ethereum, out of the packages that their authors publish. */
export const artifacts = {
  factory: bytecodeIn(
    require("@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json"),
  ),
  pool: bytecodeIn(
    require("@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json"),
  ),
  router: bytecodeIn(
    require("@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json"),
  ),
  positions: bytecodeIn(
    require("@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json"),
  ),
  wrappedEther: bytecodeIn(require("canonical-weth/build/contracts/WETH9.json")),
};

function bytecodeIn(artifact: unknown): Hex {
  assert(isObject(artifact) && isHex(artifact.bytecode), "an artifact holds bytecode");
  return artifact.bytecode;
}
