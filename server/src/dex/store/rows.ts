import type { Hex } from "../../chains/hex.ts";
import { copyText } from "../../database/copy.ts";
import type { TokenFigures, TokenVersion, Trade } from "../indexer/changes.ts";
import type { Bar, Pool, Token } from "../indexer/state.ts";

/** Rows as COPY reads them, in the order of the columns named beside each. */

const nothing = "\\N";

const figureColumns = [
  "volume",
  "volume_usd",
  "untracked_volume_usd",
  "fees_usd",
  "tx_count",
  "pool_count",
  "total_value_locked",
  "total_value_locked_usd",
  "total_value_locked_usd_untracked",
  "derived_eth",
] as const;

export const tokenColumns = [
  "deployment",
  "token",
  "address",
  "name",
  "symbol",
  "decimals",
  ...figureColumns,
] as const;

export function tokenLine(deployment: number, token: Token): string {
  const { number, address, name, symbol, decimals } = token;
  return line(
    deployment,
    number,
    bytes(address),
    copyText(name),
    copyText(symbol),
    decimals,
    figures(token),
  );
}

export const versionColumns = ["deployment", "token", "block", ...figureColumns] as const;

export function versionLine(deployment: number, version: TokenVersion): string {
  return line(deployment, version.token.number, version.block, figures(version.figures));
}

function figures(token: TokenFigures): string {
  return `${token.volume}\t${token.volumeUsd}\t${token.untrackedVolumeUsd}\t${token.feesUsd}\t${token.txCount}\t${token.poolCount}\t${token.totalValueLocked}\t${token.totalValueLockedUsd}\t${token.totalValueLockedUsdUntracked}\t${token.derivedEth}`;
}

export const poolColumns = [
  "deployment",
  "pool",
  "address",
  "token0",
  "token1",
  "fee",
  "tick_spacing",
  "created_block",
  "created_time",
  "sqrt_price",
  "tick",
  "liquidity",
  "fee_growth0",
  "fee_growth1",
  "fee_protocol0",
  "fee_protocol1",
  "is_tolerated",
  "protocol_owed0",
  "protocol_owed1",
  "token0_price",
  "token1_price",
  "total_value_locked0",
  "total_value_locked1",
  "total_value_locked_eth",
  "total_value_locked_usd",
  "volume0",
  "volume1",
  "volume_usd",
  "untracked_volume_usd",
  "fees_usd",
  "tx_count",
] as const;

export function poolLine(deployment: number, pool: Pool): string {
  return line(
    deployment,
    pool.number,
    bytes(pool.address),
    pool.token0.number,
    pool.token1.number,
    pool.fee,
    pool.tickSpacing,
    pool.createdBlock,
    pool.createdTime,
    pool.sqrtPrice,
    pool.tick ?? nothing,
    pool.liquidity,
    pool.feeGrowth0,
    pool.feeGrowth1,
    pool.feeProtocol0,
    pool.feeProtocol1,
    pool.isTolerated,
    pool.protocolOwed0,
    pool.protocolOwed1,
    pool.token0Price,
    pool.token1Price,
    pool.totalValueLocked0,
    pool.totalValueLocked1,
    pool.totalValueLockedEth,
    pool.totalValueLockedUsd,
    pool.volume0,
    pool.volume1,
    pool.volumeUsd,
    pool.untrackedVolumeUsd,
    pool.feesUsd,
    pool.txCount,
  );
}

export const tickColumns = [
  "deployment",
  "pool",
  "tick",
  "liquidity_gross",
  "liquidity_net",
] as const;

export const barColumns = [
  "deployment",
  "pool",
  "seconds",
  "number",
  "open",
  "high",
  "low",
  "close",
  "volume0",
  "volume1",
  "volume_usd",
  "fees_usd",
  "tx_count",
  "liquidity",
  "sqrt_price",
  "tick",
  "token0_price",
  "token1_price",
  "tvl_usd",
  "fee_growth0",
  "fee_growth1",
] as const;

export function barLine(deployment: number, bar: Bar): string {
  return line(
    deployment,
    bar.pool.number,
    bar.seconds,
    bar.number,
    bar.open,
    bar.high,
    bar.low,
    bar.close,
    bar.volume0,
    bar.volume1,
    bar.volumeUsd,
    bar.feesUsd,
    bar.txCount,
    bar.liquidity,
    bar.sqrtPrice,
    bar.tick ?? nothing,
    bar.token0Price,
    bar.token1Price,
    bar.tvlUsd,
    bar.feeGrowth0,
    bar.feeGrowth1,
  );
}

export const tradeColumns = [
  "deployment",
  "block",
  "log_index",
  "pool",
  "kind",
  "time",
  "transaction_hash",
  "amount0",
  "amount1",
  "amount_usd",
  "sender",
  "owner",
  "recipient",
  "amount",
  "sqrt_price",
] as const;

export function tradeLine(deployment: number, trade: Trade): string {
  const { sender, owner, recipient } = trade;
  return line(
    deployment,
    trade.block,
    trade.index,
    trade.pool.number,
    trade.kind,
    trade.time,
    bytes(trade.transactionHash),
    trade.amount0,
    trade.amount1,
    trade.amountUsd,
    sender ? bytes(sender) : nothing,
    owner ? bytes(owner) : nothing,
    recipient ? bytes(recipient) : nothing,
    trade.amount ?? nothing,
    trade.sqrtPrice ?? nothing,
  );
}

export function line(...cells: readonly { toString(): string }[]): string {
  return `${cells.join("\t")}\n`;
}

function bytes(hex: Hex): string {
  return `\\\\x${hex.slice(2)}`;
}
