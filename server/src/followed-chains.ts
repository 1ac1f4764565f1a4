import type { Config } from "./config.ts";
import type { ConfiguredChain } from "./dex/configured.ts";
import { sandboxChainAt, sandboxDeployment } from "./sandbox/chain/sandbox-deployment.ts";

/** Whether the sandbox's Ethereum stands in for a configured one. */
export function needsSandboxChain({ mode, sandbox, chains }: Config): boolean {
  const isConfigured = chains.some(({ chain }) => chain.id === "ethereum");
  return mode === "sandbox" && sandbox.chain && !isConfigured;
}

/** Every blockchain that is followed. The sandbox's is known also where nobody can tell its URL. */
export function followedChains(config: Config, sandboxUrls: readonly string[]): ConfiguredChain[] {
  if (!needsSandboxChain(config)) return config.chains;
  const chain = sandboxChainAt(...sandboxUrls);
  return [{ chain, deployments: [sandboxDeployment], blocks: "all" }, ...config.chains];
}
