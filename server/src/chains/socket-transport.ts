import { WebSocket } from "ws";
import { isObject } from "../lib/is-object.ts";
import type { WireRequest } from "./json-rpc.ts";
import { RpcFailure } from "./rpc-failure.ts";
import { encode, type Transport, tooLong, untilAborted, within } from "./transport.ts";

type Pending = {
  resolve(answer: { body: unknown; bytes: number }): void;
  reject(failure: RpcFailure): void;
};

type Connection = {
  socket: WebSocket;
  /** By the ids of the requests; all of a batch lead to the same. */
  pending: Map<number, Pending>;
  /** By the ids of the subscriptions. */
  subscriptions: Map<unknown, (hash: unknown) => void>;
  /** Resolves when the connection has ended. */
  ended: Promise<void>;
};

/** JSON-RPC over a WebSocket that is opened when it is needed, and again after it was lost. */
export function socketTransport(
  url: URL,
  { bodyMostBytes, connectMs }: { bodyMostBytes: number; connectMs: number },
): Transport {
  let connecting: Promise<Connection> | undefined;
  let ownRequests = 0;

  /** A request that no caller made. Its id is negative, apart from theirs. */
  const ownRequest = (method: string, param: string): WireRequest => {
    ownRequests++;
    return { jsonrpc: "2.0", id: -ownRequests, method, params: [param] };
  };

  function connected(): Promise<Connection> {
    connecting ??= connect(url, bodyMostBytes, connectMs).then((connection) => {
      void connection.ended.then(() => {
        connecting = undefined;
      });
      return connection;
    });
    connecting.catch(() => {
      connecting = undefined;
    });
    return connecting;
  }

  return {
    exchange: (requests, limits, signal) =>
      within(limits.timeoutMs, signal, async (inner) => {
        const answer = await send(await untilAborted(connected(), inner), requests, inner);
        if (answer.bytes > limits.bodyMostBytes) throw tooLong(limits.bodyMostBytes);
        return answer;
      }),

    async followHeads(heard, signal) {
      const connection = await untilAborted(connected(), signal);
      const { body } = await within(connectMs, signal, (inner) =>
        send(connection, [ownRequest("eth_subscribe", "newHeads")], inner),
      );
      if (!isObject(body) || typeof body.result !== "string")
        throw new RpcFailure("broken", "the node does not tell its new heads");
      const subscription = body.result;
      connection.subscriptions.set(subscription, heard);
      await endOf(connection, signal);
      connection.subscriptions.delete(subscription);
      if (connection.socket.readyState === WebSocket.OPEN)
        connection.socket.send(encode([ownRequest("eth_unsubscribe", subscription)]));
    },

    close() {
      void connecting?.then(({ socket }) => socket.terminate()).catch(() => {});
    },
  };
}

/** Resolves when the connection ends or the signal aborts. */
function endOf({ ended }: Connection, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      signal.removeEventListener("abort", done);
      resolve();
    };
    signal.addEventListener("abort", done, { once: true });
    void ended.then(done);
  });
}

function connect(url: URL, maxPayload: number, connectMs: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { maxPayload, handshakeTimeout: connectMs });
    let reason = "the socket was closed";
    socket.on("error", (error) => {
      reason = error.message;
    });
    const ended = new Promise<void>((end) => socket.once("close", () => end()));
    const connection: Connection = {
      socket,
      pending: new Map(),
      subscriptions: new Map(),
      ended,
    };
    socket.on("message", (message: Buffer) => hear(connection, message));
    socket.once("open", () => resolve(connection));
    void ended.then(() => {
      reject(new RpcFailure("away", reason));
      for (const { reject } of connection.pending.values())
        reject(new RpcFailure("broken", reason));
      connection.pending.clear();
    });
  });
}

function send(
  { socket, pending }: Connection,
  requests: readonly WireRequest[],
  signal: AbortSignal,
): Promise<{ body: unknown; bytes: number }> {
  return new Promise((resolve, reject) => {
    const forget = () => {
      for (const { id } of requests) pending.delete(id);
      signal.removeEventListener("abort", gaveUp);
    };
    const gaveUp = () => {
      forget();
      reject(signal.reason);
    };
    const waiter: Pending = {
      resolve(answer) {
        forget();
        resolve(answer);
      },
      reject(failure) {
        forget();
        reject(failure);
      },
    };
    for (const { id } of requests) pending.set(id, waiter);
    signal.addEventListener("abort", gaveUp, { once: true });
    if (signal.aborted) gaveUp();
    else socket.send(encode(requests));
  });
}

function hear({ socket, pending, subscriptions }: Connection, message: Buffer): void {
  const body = parse(message);
  // A node that talks nonsense is left: its other answers cannot be told apart.
  if (body === undefined) socket.terminate();
  if (isObject(body) && body.method === "eth_subscription" && isObject(body.params)) {
    const { subscription, result } = body.params;
    if (isObject(result)) subscriptions.get(subscription)?.(result.hash);
    return;
  }
  const first: unknown = Array.isArray(body) ? body[0] : body;
  const id = isObject(first) ? Number(first.id) : Number.NaN;
  // What has no id of ours is an error about the oldest request, or too late for one that was given up.
  const isUnattributed = isObject(first) && first.id == null;
  const waiter = pending.get(id) ?? (isUnattributed ? [...pending.values()][0] : undefined);
  waiter?.resolve({ body, bytes: message.length });
}

function parse(message: Buffer): unknown {
  try {
    return JSON.parse(message.toString("utf8"));
  } catch {
    return undefined;
  }
}
