import { tokenContracts } from "../rails/evm/token-contracts.ts";

/** Bridged and wrapped forms of tokens, which look like those we deal in. */
const lookalikes: readonly string[] = [
  "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174", // USDC on Polygon, bridged
  "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270", // WPOL
  "0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8", // USDC on Arbitrum, bridged
  "0x7F5c764cBc14f9669B88837ca1490cCa17c31607", // USDC on Optimism, bridged
  "0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA", // USDC on Base, bridged
  "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c", // WBNB
  "0xA7D7079b0FEaD91F3e65f86E8915Cb59c1a4C664", // USDC on Avalanche, bridged
  "0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7", // WAVAX
];

/**
 * Contracts of the tokens we deal in, and of their other forms. No private key belongs to any of them on any chain,
 * so what is sent there is lost wherever it is sent.
 */
export const evmContracts: readonly string[] = [
  ...new Set([...Object.values(tokenContracts).flatMap(Object.values<string>), ...lookalikes]),
];

/** Mints and programs of Solana whose names do not end in a row of ones. */
export const solanaContracts: readonly string[] = [
  "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", // USDC
  "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", // USDT
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", // token program
  "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", // token program of 2022
  "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL", // associated token accounts
];
