import { encodeFunctionData, parseEther } from "viem";
import type { Hex } from "../../../chains/hex.ts";
import { assert } from "../../../lib/errors.ts";
import type { ChainToken } from "../../../ramp/rails/evm/ramp-chain.ts";
import { tokenAbi } from "../../chain/contracts/abis.ts";
import { act, actAs, balanceOf, type LocalRpc, sending } from "./local-rpc.ts";
import { founderAddress, harbourAddress, minterOf, wrappedEtherAddress } from "./tokens.ts";

const ether: ChainToken = { symbol: "ETH", decimals: 18, contract: undefined };
const wrappedEther: ChainToken = { ...ether, symbol: "WETH", contract: wrappedEtherAddress };

/** What the founder keeps to pay for its own transactions. */
const founderKeeps = parseEther("100");

/** Gives somebody what is missing to `units` of a token. Returns how much of them there was not: Ether cannot be made. */
export async function supply(
  rpc: LocalRpc,
  token: ChainToken,
  holder: Hex,
  units: bigint,
): Promise<bigint> {
  const missing = units - (await balanceOf(rpc, token, holder));
  if (missing <= 0n) return 0n;
  const minter = minterOf(token);
  if (!minter) return giveEther(rpc, token, holder, missing);
  await mint(rpc, token, { minter, holder, units: missing });
  return 0n;
}

type Minting = { minter: Hex; holder: Hex; units: bigint };

async function mint(rpc: LocalRpc, { contract }: ChainToken, minting: Minting): Promise<void> {
  const { minter, holder, units } = minting;
  assert(contract, "what can be minted has a contract");
  const args = [holder, units] as const;
  const data = encodeFunctionData({ abi: tokenAbi, functionName: "mint", args });
  const minted = () => act(rpc, { from: minter, to: contract, data });
  await (minter === harbourAddress ? actAs(rpc, minter, minted) : minted());
}

/** The founder gives Ether as it is or wrapped, whatever form it has more of itself. */
async function giveEther(
  rpc: LocalRpc,
  token: ChainToken,
  holder: Hex,
  wanted: bigint,
): Promise<bigint> {
  const from = founderAddress;
  const plain = (await balanceOf(rpc, ether, from)) - founderKeeps;
  const wrapped = await balanceOf(rpc, wrappedEther, from);
  const given = smaller(wanted, plain + wrapped);
  if (given <= 0n) return wanted;
  const to = wrappedEtherAddress;
  const abi = tokenAbi;
  if (!token.contract && given > plain) {
    const data = encodeFunctionData({ abi, functionName: "withdraw", args: [given - plain] });
    await act(rpc, { from, to, data });
  }
  if (token.contract && given > wrapped) {
    const data = encodeFunctionData({ abi, functionName: "deposit" });
    await act(rpc, { from, to, data, value: given - wrapped });
  }
  await act(rpc, { from, ...sending(token, holder, given) });
  return wanted - given;
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
