import { built, context } from "../built.ts";
import { obey } from "../process.ts";

const { openSandboxChain } = await built<
  typeof import("../../server/src/sandbox/chain/open-sandbox-chain.ts")
>("sandbox/chain/open-sandbox-chain");

export type ChainAnswer = { url: string };

/** A chain without a market, so that nothing happens on it by itself. */
obey(async (): Promise<ChainAnswer> => {
  const chain = await openSandboxChain({
    ...{ clock: context.clock, seed: 7, history: { days: 0.001, swaps: 1 }, live: false, port: 0 },
    warn: (message) => console.log(message),
  });
  await chain.seeded;
  return { url: chain.url };
});
