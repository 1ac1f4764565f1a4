import { OperatorError } from "../lib/errors.ts";
import type { Log as Logger } from "../lib/log.ts";
import { type BatchSize, openBatchSize } from "./batch-size.ts";
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
  readonly batch: BatchSize;
  readonly learnt: Learnt;
  readonly transport: Transport;
  /** The replies in the order of the requests. */
  ask(
    requests: readonly RpcRequest[],
    signal: AbortSignal,
    limits?: ExchangeLimits,
  ): Promise<Answer>;
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

/** Ready to ask one endpoint. Nothing is sent yet. */
export function openEndpoint(options: EndpointOptions): Endpoint {
  const { host, chain, transport, standing, scrub, limits, log, closed } = options;
  const plain = { timeoutMs: limits.requestMs, bodyMostBytes: limits.bodyMostBytes };
  const learnt: Learnt = {
    mostBlocks: Number.POSITIVE_INFINITY,
    head: -1,
    wantsLogsAlone: false,
  };
  const batch = openBatchSize(limits.batchMost);
  let nextId = 1;
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

  /** Sends a part of the requests, and learns from it how large parts may be. */
  async function sendPart(
    part: readonly RpcRequest[],
    exchange: ExchangeLimits,
    signal: AbortSignal,
  ): Promise<Answer> {
    try {
      const answer = await send(part, exchange, signal);
      batch.answered(part.length);
      return answer;
    } catch (error) {
      if (error instanceof RpcFailure) batch.failed(part.length, error);
      learnt.head = -1;
      throw error;
    }
  }

  async function checkChain(): Promise<void> {
    const request = { method: "eth_chainId", params: [] };
    const { replies } = await endpoint.ask([request], closed);
    const chainId = replies[0] && resultOf(replies[0]);
    if (Number(chainId) === chain.chainId) return;
    const reason =
      `The node at ${host} is of chain ${Number(chainId)}, but ${chain.id} is chain ${chain.chainId}. ` +
      `Check the rpcUrls and the chainId of ${chain.id}.`;
    standing.misplaced(reason);
    throw new OperatorError(reason);
  }

  const endpoint: Endpoint = {
    host,
    standing,
    limiter: openLimiter({ most: limits.concurrencyMost, waitingMost: limits.waitingMost }),
    batch,
    learnt,
    transport,
    async ask(requests, signal, exchange = plain) {
      const answer: Answer = { replies: [], bytes: 0 };
      while (answer.replies.length < requests.length) {
        const done = answer.replies.length;
        const part = await sendPart(requests.slice(done, done + batch.most()), exchange, signal);
        answer.replies.push(...part.replies);
        answer.bytes += part.bytes;
      }
      return answer;
    },
    scrub,
    identify() {
      identified ??= checkChain().catch((error) => {
        if (!(error instanceof OperatorError)) identified = undefined;
        throw error;
      });
      return identified;
    },
    learn({ mostBlocks }) {
      if (mostBlocks === undefined || mostBlocks >= learnt.mostBlocks) return;
      learnt.mostBlocks = mostBlocks;
      log.info({ host, mostBlocks }, "a node takes no longer ranges of blocks");
    },
  };
  return endpoint;
}
