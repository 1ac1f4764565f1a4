import {
  encodeDeployData,
  encodeFunctionData,
  maxUint256,
  parseEther,
  stringToHex,
  zeroAddress,
} from "viem";
import type { Hex } from "../../chains/hex.ts";
import { earlyTokenAbi, factoryAbi, positionsAbi, routerAbi, tokenAbi } from "./contracts/abis.ts";
import { artifacts } from "./contracts/artifacts.ts";
import { compiled } from "./contracts/compiled.ts";
import type { Transaction } from "./engine.ts";
import { actors, contracts, founder, mintedTokens, type Token, tokens } from "./layout.ts";
import { toUnits } from "./market/amounts.ts";
import { movements } from "./market/fair-price.ts";

const holdingUsd = 300e6;
const deployGas = 8_000_000n;
const simpleGas = 150_000n;

/** What happens in the first blocks: contracts, tokens, and something in everybody's pocket. */
export function foundingBlocks(): Transaction[][] {
  const { factory, wrappedEther, borrower } = contracts;
  return [
    [
      deploy(artifacts.factory),
      deploy(artifacts.wrappedEther),
      deploy(
        encodeDeployData({
          abi: routerAbi,
          bytecode: artifacts.router,
          args: [factory, wrappedEther],
        }),
      ),
      deploy(
        encodeDeployData({
          abi: positionsAbi,
          bytecode: artifacts.positions,
          args: [factory, wrappedEther, zeroAddress],
        }),
      ),
    ],
    [deploy(compiled.borrower), ...mintedTokens.map(deployToken), enableSmallestFee()],
    [...actors.map(({ address }) => address), borrower].flatMap((holder) =>
      mintedTokens.map((token) => mint(token, holder)),
    ),
    [...actors.flatMap(({ address }) => [wrapEther(address), ...approveAll(address)]), lendEther()],
  ];
}

function deploy(data: Hex): Transaction {
  return { from: founder.address, data, gas: deployGas };
}

function deployToken({ name, symbol, decimals, isEarly }: Token): Transaction {
  return deploy(
    isEarly
      ? encodeDeployData({
          abi: earlyTokenAbi,
          bytecode: compiled.earlyToken,
          args: [stringToHex(name, { size: 32 }), stringToHex(symbol, { size: 32 }), decimals],
        })
      : encodeDeployData({
          abi: tokenAbi,
          bytecode: compiled.token,
          args: [name, symbol, decimals],
        }),
  );
}

/** The factory is born without the fee of 0.01 %; on Ethereum it was added by a vote. */
function enableSmallestFee(): Transaction {
  return {
    from: founder.address,
    to: contracts.factory,
    data: encodeFunctionData({ abi: factoryAbi, functionName: "enableFeeAmount", args: [100, 1] }),
    gas: simpleGas,
  };
}

function mint(token: Token, holder: Hex): Transaction {
  const amount = toUnits(holdingUsd / movements[token.asset].usd, token);
  return {
    from: founder.address,
    to: token.address,
    data: encodeFunctionData({ abi: tokenAbi, functionName: "mint", args: [holder, amount] }),
    gas: simpleGas,
  };
}

function wrapEther(from: Hex): Transaction {
  return {
    from,
    to: contracts.wrappedEther,
    data: encodeFunctionData({ abi: tokenAbi, functionName: "deposit" }),
    value: parseEther("200000"),
    gas: simpleGas,
  };
}

/** The borrower pays the fees of its loans out of its own pocket. */
function lendEther(): Transaction {
  return {
    from: founder.address,
    to: contracts.wrappedEther,
    data: encodeFunctionData({
      abi: tokenAbi,
      functionName: "transfer",
      args: [contracts.borrower, parseEther("50000")],
    }),
    gas: simpleGas,
  };
}

function approveAll(from: Hex): Transaction[] {
  return tokens.flatMap(({ address }) =>
    [contracts.router, contracts.positions].map((spender) => ({
      from,
      to: address,
      data: encodeFunctionData({
        abi: tokenAbi,
        functionName: "approve",
        args: [spender, maxUint256],
      }),
      gas: simpleGas,
    })),
  );
}
