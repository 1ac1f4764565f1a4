import type { DueRunner } from "../../src/database/due.ts";
import { worthBy } from "../../src/live-rails.ts";
import type { RampContext } from "../../src/ramp/engine.ts";
import type { Ports } from "../../src/ramp/ports.ts";
import { achRail } from "../../src/ramp/rails/bank/ach-rail.ts";
import { bankRunners } from "../../src/ramp/rails/bank/bank-runners.ts";
import { wireRail } from "../../src/ramp/rails/bank/wire-rail.ts";
import { chainBalances } from "../../src/ramp/rails/evm/chain-books.ts";
import { evmRail } from "../../src/ramp/rails/evm/chain-rail.ts";
import type { EvmNodes } from "../../src/ramp/rails/evm/evm-nodes.ts";
import { evmRunners } from "../../src/ramp/rails/evm/evm-runners.ts";
import type { BlockTime } from "../../src/ramp/rails/evm/ramp-chain.ts";
import type { FileExchange } from "../../src/ramp/rails/file-exchange.ts";
import type { RailContext } from "../../src/ramp/rails/rail-context.ts";
import { railNews } from "../../src/ramp/rails/store/notices.ts";
import { rampRunners } from "../../src/ramp/run-ramp.ts";
import type { PayoutId } from "../../src/ramp/transaction.ts";
import { bankProfile } from "./bank-letters.ts";
import { blockchain, chainKeys, depositAddressAt, rampChain } from "./chain.ts";

/** What a process reaches of the outside. */
export type Reached = Pick<Ports, "prices" | "screening"> & {
  exchange: FileExchange;
  nodes: EvmNodes;
  blockTime: BlockTime;
  /** What any process has handed over to a rail. */
  handedOver: Set<PayoutId>;
};

/** The ramp of a process, and everything that it has to do by itself, in order. */
export type Connected = { context: RampContext; runners: readonly DueRunner[] };

/** Connects a ramp with a bank through files and with a chain through nodes, as in live mode. `guard` stands between. */
export function connect(
  rails: RailContext,
  { exchange, nodes, blockTime, prices, screening }: Omit<Reached, "handedOver">,
  guard: (ports: Ports) => Ports = (ports) => ports,
): Connected {
  const bank = { ...rails, bank: bankProfile };
  const evm = { ...rails, chain: rampChain, nodes, keys: chainKeys, blockTime };
  const ports = guard({
    serves: (wanted) => wanted === blockchain,
    rails: { ach: achRail(bank), wire: wireRail(bank), chain: evmRail(evm) },
    news: [railNews(rails, "bank"), railNews(rails, `chain:${blockchain}`)],
    books: { balances: () => chainBalances(evm) },
    ...{ prices, screening },
    depositAddresses: { at: (_, index) => depositAddressAt(index) },
  });
  const context = { ...rails, ports };
  const runners = [
    ...bankRunners({ ...bank, exchange }),
    ...evmRunners({ ...evm, worthCents: worthBy(prices, blockchain) }),
    ...rampRunners(context),
  ];
  return { context, runners };
}
