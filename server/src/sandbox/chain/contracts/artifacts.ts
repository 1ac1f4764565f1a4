import { createRequire } from "node:module";
import { isHex } from "viem";
import type { Hex } from "../../../chains/hex.ts";
import { assert } from "../../../lib/errors.ts";
import { isObject } from "../../../lib/is-object.ts";

const require = createRequire(import.meta.url);

/** The very contracts that are on Ethereum, out of the packages that their authors publish. */
export const artifacts = {
  factory: bytecodeIn(
    "@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json",
  ),
  pool: bytecodeIn("@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json"),
  router: bytecodeIn("@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json"),
  positions: bytecodeIn(
    "@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json",
  ),
  wrappedEther: bytecodeIn("canonical-weth/build/contracts/WETH9.json"),
};

function bytecodeIn(file: string): Hex {
  const artifact: unknown = require(file);
  assert(isObject(artifact) && isHex(artifact.bytecode), `${file} holds bytecode`);
  return artifact.bytecode;
}
