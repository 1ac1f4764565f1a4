import { topic } from "../../bus/bus.ts";
import type { Deployment } from "../deployment.ts";

/** How the index of one exchange on one chain is doing. */
export type IndexStatus = {
  exchange: string;
  blockchain: string;
  /** The newest block the node has told us of. */
  head: { block: number; time: number } | null;
  /** The newest block in the tables. */
  indexed: { block: number; time: number } | null;
  startBlock: number;
  lastReorg: { depth: number; at: number } | null;
  /** Why it does not get on, in words; null while it does. */
  trouble: string | null;
};

/** Sent whenever something changed, and otherwise every second. */
export const indexStatuses = topic<IndexStatus>("dex.index");

/** Before anything has been found out. */
export function unknownStatus({ exchange, blockchain, startBlock }: Deployment): IndexStatus {
  return {
    exchange,
    blockchain,
    head: null,
    indexed: null,
    startBlock,
    lastReorg: null,
    trouble: null,
  };
}
