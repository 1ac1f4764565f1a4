import { parseAbi } from "viem";

/** What the sandbox asks of tokens, wrapped Ether among them. */
export const tokenAbi = parseAbi([
  "constructor(string name, string symbol, uint8 decimals)",
  "function mint(address to, uint256 value)",
  "function approve(address spender, uint256 value) returns (bool)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function deposit() payable",
  "function withdraw(uint256 value)",
  "function balanceOf(address owner) view returns (uint256)",
]);

export const earlyTokenAbi = parseAbi([
  "constructor(bytes32 name, bytes32 symbol, uint8 decimals)",
]);

export const factoryAbi = parseAbi([
  "function enableFeeAmount(uint24 fee, int24 tickSpacing)",
  "function getPool(address, address, uint24) view returns (address)",
]);

export const poolAbi = parseAbi([
  "function setFeeProtocol(uint8 feeProtocol0, uint8 feeProtocol1)",
  "function collectProtocol(address recipient, uint128 amount0, uint128 amount1) returns (uint128, uint128)",
]);

export const routerAbi = parseAbi([
  "constructor(address factory, address weth)",
  "struct Input { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "struct Output { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountOut; uint256 amountInMaximum; uint160 sqrtPriceLimitX96; }",
  "struct Route { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }",
  "function exactInputSingle(Input) payable returns (uint256)",
  "function exactOutputSingle(Output) payable returns (uint256)",
  "function exactInput(Route) payable returns (uint256)",
  "function multicall(bytes[] data) payable returns (bytes[])",
]);

export const positionsAbi = parseAbi([
  "constructor(address factory, address weth, address descriptor)",
  "struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }",
  "struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }",
  "struct Collect { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }",
  "function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address)",
  "function mint(Mint) payable returns (uint256, uint128, uint256, uint256)",
  "function decreaseLiquidity(Decrease) payable returns (uint256, uint256)",
  "function collect(Collect) payable returns (uint256, uint256)",
  "function multicall(bytes[] data) payable returns (bytes[])",
  "function totalSupply() view returns (uint256)",
  "function ownerOf(uint256 tokenId) view returns (address)",
  "function positions(uint256 tokenId) view returns (uint96, address, address, address, uint24, int24, int24, uint128 liquidity, uint256, uint256, uint128, uint128)",
]);

export const borrowerAbi = parseAbi([
  "function borrow(address pool, uint256 amount0, uint256 amount1)",
]);
