import { setMaxListeners } from "node:events";
import { httpTransport } from "../../../chains/http-transport.ts";
import { matchReplies, type RpcReply, resultOf, toWire } from "../../../chains/json-rpc.ts";
import { readQuantity } from "../../../chains/read-hex.ts";
import { RpcFailure } from "../../../chains/rpc-failure.ts";
import { displayHost, scrubberFor } from "../../../chains/secrets.ts";
import { socketTransport } from "../../../chains/socket-transport.ts";
import { systemClock } from "../../../lib/clock.ts";
import { messageOf, OperatorError } from "../../../lib/errors.ts";

/** One node of a chain. What it throws has no key in its words. */
export type EvmEndpoint = {
  readonly host: string;
  /** Methods that it said it does not have. */
  readonly lacks: ReadonlySet<string>;
  /** What it says to a request, an error included. Throws when it says nothing, or is of another chain. */
  reply(method: string, params: readonly unknown[]): Promise<RpcReply>;
  /** The result of a request. Throws also when the node answers with an error. */
  ask(method: string, params: readonly unknown[]): Promise<unknown>;
  /** A number that it tells about itself, whichever chain it is of. */
  look(method: "eth_chainId" | "eth_blockNumber"): Promise<number>;
  close(): void;
};

/** Codes of nodes that do not know a method: JSON-RPC's own, and Ethereum's. */
const unknownMethodCodes = new Set([-32601, -32004]);

const timeoutMs = 10_000;
/** Blocks with all their receipts are some megabytes. */
const bodyMostBytes = 64 * 2 ** 20;

/** Ready to ask one node. Nothing is sent yet; what is asked first is which chain it is of. */
export function openEvmEndpoint(
  address: string,
  chain: { blockchain: string; chainId: number },
  options: { fetch?: typeof fetch },
): EvmEndpoint {
  const url = new URL(address);
  const host = displayHost(url);
  const scrub = scrubberFor(url);
  const closing = new AbortController();
  setMaxListeners(Number.POSITIVE_INFINITY, closing.signal);
  const transport = url.protocol.startsWith("ws")
    ? socketTransport(url, { bodyMostBytes, connectMs: timeoutMs })
    : httpTransport(url, { fetch: options.fetch ?? fetch, now: systemClock.now });
  const lacks = new Set<string>();
  let lastId = 0;
  let identified: Promise<void> | undefined;

  async function exchange(method: string, params: readonly unknown[]): Promise<RpcReply> {
    const wire = toWire([{ method, params }], ++lastId);
    try {
      const { body } = await transport.exchange(wire, { timeoutMs, bodyMostBytes }, closing.signal);
      const [reply] = matchReplies(body, wire);
      if (!reply) throw new RpcFailure("broken", "the answer is empty");
      if (!("error" in reply)) return reply;
      const { code, message } = reply.error;
      if (unknownMethodCodes.has(code)) lacks.add(method);
      return { error: { code, message: scrub(message) } };
    } catch (error) {
      throw new Error(scrub(messageOf(error)));
    }
  }

  const look = async (method: string) => readQuantity(resultOf(await exchange(method, [])), method);

  async function identify(): Promise<void> {
    const said = await look("eth_chainId");
    if (said === chain.chainId) return;
    throw new OperatorError(
      `The node at ${host} is of chain ${said}, but ${chain.blockchain} is chain ${chain.chainId}. ` +
        `Check the rpcUrls of ${chain.blockchain}.`,
    );
  }

  /** A node of another chain stays one; a node that does not answer is asked again. */
  function isOurs(): Promise<void> {
    identified ??= identify().catch((error) => {
      if (!(error instanceof OperatorError)) identified = undefined;
      throw error;
    });
    return identified;
  }

  async function reply(method: string, params: readonly unknown[]): Promise<RpcReply> {
    await isOurs();
    return exchange(method, params);
  }

  return {
    host,
    lacks,
    reply,
    ask: async (method, params) => resultOf(await reply(method, params)),
    look,
    close() {
      closing.abort(new RpcFailure("away", "the connection was closed"));
      transport.close();
    },
  };
}
