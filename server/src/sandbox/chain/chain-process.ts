import { systemClock } from "../../lib/clock.ts";
import { sandboxSeed } from "./market/fair-price.ts";
import { openSandboxChain } from "./open-sandbox-chain.ts";
import type { ChainOrders, ChainReport } from "./sandbox-chain.ts";

const history = { days: 14, swaps: 2_000 };
const patienceMs = 120_000;

const orders = JSON.parse(process.argv[2] ?? "") as ChainOrders;
let close = async () => {};
const end = () => void close().finally(() => process.exit(0));
process.once("message", end);
process.once("disconnect", end);
if (!process.connected) end();
// A terminal sends these to all processes at once. It is the service that decides when the chain ends.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});

const report = (message: ChainReport) => process.send?.(message);

const opened = await openSandboxChain({
  ...orders,
  clock: systemClock,
  warn: (message) => report({ kind: "warning", message }),
  seed: sandboxSeed,
  history,
  live: true,
  onProgress: (progress) => report({ kind: "progress", progress }),
});
close = opened.close;
report({ kind: "listening", port: opened.port });

await Promise.race([opened.ended, watch()]);

/** Fails when the engine no longer answers: a process that ends is started again. */
async function watch(): Promise<never> {
  for (;;) {
    const given = new AbortController();
    const answer = opened.request("eth_chainId").then(() => given.abort());
    await systemClock.sleep(patienceMs, given.signal);
    if (!given.signal.aborted) throw new Error("The engine has not answered for two minutes.");
    await answer;
    await systemClock.sleep(patienceMs);
  }
}
