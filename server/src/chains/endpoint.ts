import { OperatorError } from "../lib/errors.ts";
import type { Log as Logger } from "../lib/log.ts";
import { matchReplies, type RpcReply, type RpcRequest, resultOf, toWire } from "./json-rpc.ts";
import { type Limiter, openLimiter } from "./limiter.ts";
import type { NodeLimits } from "./limits.ts";
import type { RangeAdvice } from "./range-errors.ts";
import { RpcFailure } from "./rpc-failure.ts";
import type { Standing } from "./standing.ts";
import type { ExchangeLimits, Transport } from "./transport.ts";

/** What we have found out about an endpoint by asking it. */
type Learnt = {
  /** It refuses requests for the logs of more blocks than this. */
  mostBlocks: number;
  /** Or with more logs than this. */
  mostLogs: number;
  /** It has told of this block, so that it has those before it. */
  head: number;
  /** It does not answer requests for logs in the company of others. */
  wantsLogsAlone: boolean;
};

/** What an endpoint said to several requests, and how long it was. */
export type Answer = { replies: RpcReply[]; bytes: number };

/** One URL of a chain: it sends requests in as few bodies as the provider takes. */
export type Endpoint = {
  readonly host: string;
  readonly standing: Standing;
  readonly limiter: Limiter;
  readonly learnt: Learnt;
  readonly transport: Transport;
  /** The replies in the order of the requests. */
  ask(
    requests: readonly RpcRequest[],
    signal: AbortSignal,
    limits?: ExchangeLimits,
  ): Promise<Answer>;
  /** How many requests it takes in one body. */
  batchMost(): number;
  /** A batch was too much for it, although it did not say so. */
  shrinkBatches(size: number): void;
  /** Makes sure, once, that it is of the right chain; throws OperatorError when it is not. */
  identify(): Promise<void>;
  /** Takes what could be a key out of a text. */
  scrub(text: string): string;
  /** Remembers a limit that the provider named. */
  learn(advice: RangeAdvice): void;
};

type EndpointOptions = {
  host: string;
  chain: { id: string; chainId: number };
  transport: Transport;
  standing: Standing;
  scrub: (text: string) => string;
  limits: NodeLimits;
  log: Logger;
  /** Aborts when the service ends. */
  closed: AbortSignal;
};

/** After so many batches that were accepted, a larger one is tried. */
const batchesBeforeGrowth = 16;

/** So many batches lost in a row, and the next ones are smaller. */
const lostBeforeShrinking = 2;

/** Ready to ask one endpoint. Nothing is sent yet. */
export function openEndpoint(options: EndpointOptions): Endpoint {
  const { host, chain, transport, standing, scrub, limits, log, closed } = options;
  const plain = { timeoutMs: limits.requestMs, bodyMostBytes: limits.bodyMostBytes };
  const learnt: Learnt = {
    mostBlocks: Number.POSITIVE_INFINITY,
    mostLogs: Number.POSITIVE_INFINITY,
    head: -1,
    wantsLogsAlone: false,
  };
  let nextId = 1;
  let batchMost = limits.batchMost;
  let accepted = 0;
  let lost = 0;
  let identified: Promise<void> | undefined;

  async function send(
    requests: readonly RpcRequest[],
    exchange: ExchangeLimits,
    signal: AbortSignal,
  ): Promise<Answer> {
    const wire = toWire(requests, nextId);
    nextId += wire.length;
    const { body, bytes } = await transport.exchange(wire, exchange, signal);
    return { replies: matchReplies(body, wire), bytes };
  }

  function shrinkBatches(size: number): void {
    accepted = 0;
    lost = 0;
    batchMost = Math.max(1, Math.min(batchMost, Math.floor(size / 2)));
    log.debug({ host, batchMost }, "a node gets smaller batches");
  }

  /** Whether a smaller batch might have been answered. What happens once may happen to any request. */
  function isTooMuch({ kind, details }: RpcFailure): boolean {
    if (details.refusesBatch) return true;
    if (kind !== "broken" && kind !== "slow") return false;
    lost++;
    return lost >= lostBeforeShrinking;
  }

  function growBatches(): void {
    lost = 0;
    if (batchMost === limits.batchMost || ++accepted < batchesBeforeGrowth) return;
    accepted = 0;
    batchMost = Math.min(limits.batchMost, batchMost * 2);
  }

  /** Sends a part of the requests, and learns from its failure how large parts should be. */
  async function sendPart(
    part: readonly RpcRequest[],
    exchange: ExchangeLimits,
    signal: AbortSignal,
  ): Promise<Answer> {
    try {
      const answer = await send(part, exchange, signal);
      if (part.length > 1) growBatches();
      return answer;
    } catch (error) {
      if (part.length > 1 && error instanceof RpcFailure && isTooMuch(error))
        shrinkBatches(part.length);
      learnt.head = -1;
      throw error;
    }
  }

  async function checkChain(): Promise<void> {
    const request = { method: "eth_chainId", params: [] };
    const { replies } = await endpoint.ask([request], closed);
    const chainId = replies[0] && resultOf(replies[0]);
    if (Number(chainId) === chain.chainId) return;
    const reason = `The node at ${host} is of chain ${Number(chainId)}, but ${chain.id} is chain ${chain.chainId}. Check the rpcUrls and the chainId of ${chain.id}.`;
    standing.misplaced(reason);
    throw new OperatorError(reason);
  }

  const endpoint: Endpoint = {
    host,
    standing,
    limiter: openLimiter({ most: limits.concurrencyMost, waitingMost: limits.waitingMost }),
    learnt,
    transport,
    async ask(requests, signal, exchange = plain) {
      const answer: Answer = { replies: [], bytes: 0 };
      while (answer.replies.length < requests.length) {
        const done = answer.replies.length;
        const part = await sendPart(requests.slice(done, done + batchMost), exchange, signal);
        answer.replies.push(...part.replies);
        answer.bytes += part.bytes;
      }
      return answer;
    },
    batchMost: () => batchMost,
    shrinkBatches,
    scrub,
    identify() {
      identified ??= checkChain().catch((error) => {
        if (!(error instanceof OperatorError)) identified = undefined;
        throw error;
      });
      return identified;
    },
    learn({ mostBlocks, mostLogs }) {
      if (mostBlocks !== undefined && mostBlocks < learnt.mostBlocks) {
        learnt.mostBlocks = mostBlocks;
        log.info({ host, mostBlocks }, "a node takes no longer ranges of blocks");
      }
      if (mostLogs !== undefined && mostLogs < learnt.mostLogs) learnt.mostLogs = mostLogs;
    },
  };
  return endpoint;
}
