import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../../lib/clock.ts";
import { CallerError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { type BookView, viewOf } from "./book-view.ts";
import { controlAnswer } from "./control.ts";
import { type Fault, FaultDesk, type Faults } from "./faults.ts";
import { Floor } from "./floor.ts";
import { RestError, restAnswers } from "./rest.ts";
import { openStream } from "./stream.ts";

/** A local exchange that speaks the public protocols of Kraken. */
export type ExchangeServer = {
  port: number;
  /** Puts other faults in the place of all there are. */
  setFaults(faults: readonly Fault[]): void;
  faults(): Faults;
  /** The whole book of a market as it is now: ticks and lots, best first. */
  bookOf(symbol: string): BookView | undefined;
  close(): Promise<void>;
};

type Reply = { status: number; body: unknown };

type ServerOptions = { clock: Clock; seed: number; port: number; log: Log };

const host = "127.0.0.1";
const restPrefix = "/api.kraken.com/0/public/";
const streamPath = "/ws.kraken.com/v2";

/** Listens on a port of this machine, or on any free one for port 0. */
export async function openExchangeServer(options: ServerOptions): Promise<ExchangeServer> {
  const { clock, seed, port, log } = options;
  const floor = new Floor(seed, clock);
  const faults = new FaultDesk();
  const stream = openStream({ floor, faults, clock, log });

  async function answerRest(name: string, query: URLSearchParams): Promise<Reply> {
    const slow = faults.take("slow");
    if (slow) await clock.sleep(slow.delayMs ?? 0);
    if (faults.take("tooManyRequests")) return failure("EAPI:Rate limit exceeded", 429);
    if (faults.take("serverError")) return failure("EGeneral:Internal error", 503);
    const isClosed = faults.take("maintenance") !== undefined;
    if (name === "SystemStatus") return success(systemStatus(isClosed));
    if (isClosed) return failure("EService:Unavailable");
    return answerOpenly(name, query);
  }

  async function answerOpenly(name: string, query: URLSearchParams): Promise<Reply> {
    const answer = restAnswers.get(name);
    return answer ? success(await answer(floor, query)) : failure("EGeneral:Unknown method", 404);
  }

  function systemStatus(isClosed: boolean) {
    const timestamp = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
    return { status: isClosed ? "maintenance" : "online", timestamp };
  }

  /** The answer to a request; nothing when it is to be cut. */
  async function answer(request: IncomingMessage): Promise<Reply | undefined> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://sandbox");
    if (pathname.startsWith("/sandbox/")) {
      const body = await controlAnswer(request, pathname, searchParams, { floor, faults });
      return { status: 200, body };
    }
    if (!pathname.startsWith(restPrefix)) return failure("EGeneral:Unknown method", 404);
    if (faults.take("refuseConnections")) return undefined;
    return answerRest(pathname.slice(restPrefix.length), searchParams);
  }

  function replyTo(error: unknown): Reply {
    if (error instanceof RestError) return failure(error.message);
    if (error instanceof CallerError) {
      const body = { errors: error.messages.map((message) => ({ message })) };
      return { status: error.fault === "not_found" ? 404 : 400, body };
    }
    log.error({ err: error }, "the sandbox exchange could not answer");
    return failure("EGeneral:Internal error", 500);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = await answer(request).catch(replyTo);
    if (!reply) {
      request.socket.destroy();
      return;
    }
    response.writeHead(reply.status, { "content-type": "application/json" });
    response.end(JSON.stringify(reply.body));
  }

  const server = createServer((request, response) => {
    void serve(request, response);
  });
  server.on("upgrade", (request, socket, head) => {
    const isStream = request.url?.split("?")[0] === streamPath;
    if (!isStream || faults.take("refuseConnections")) socket.destroy();
    else stream.accept(request, socket, head);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;

  return {
    port: chosen,
    setFaults: (set) => faults.set(set),
    faults: () => faults.state,
    bookOf(symbol) {
      const market = floor.find(symbol);
      return market && viewOf(floor.live(market).book, Number.POSITIVE_INFINITY);
    },
    async close() {
      await stream.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Kraken tells of most failures with status 200. */
function failure(error: string, status = 200): Reply {
  return { status, body: { error: [error] } };
}

function success(result: unknown): Reply {
  return { status: 200, body: { error: [], result } };
}
