import type { ConfiguredExchange } from "./cex/configured.ts";
import type { Config } from "./config.ts";

const sandboxExchange = "kraken";
const sandboxMarkets = ["BTC-USD", "ETH-USD", "ETH-BTC", "SOL-USD", "USDC-USD"];

/** Whether the sandbox's Kraken stands in for a configured one. */
export function needsSandboxExchange({ mode, sandbox, exchanges }: Config): boolean {
  const isConfigured = exchanges.some(({ id }) => id === sandboxExchange);
  return mode === "sandbox" && sandbox.exchange && !isConfigured;
}

/** Every exchange that is served. The sandbox's is known also where nobody can tell its URL. */
export function followedExchanges(
  config: Config,
  sandboxUrl: string | undefined,
): ConfiguredExchange[] {
  if (!needsSandboxExchange(config)) return config.exchanges;
  const sandbox = { id: sandboxExchange, markets: sandboxMarkets, isSandbox: true };
  return [{ ...sandbox, baseUrl: sandboxUrl }, ...config.exchanges];
}
