import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { stillSurroundings } from "../test/still-surroundings.ts";
import { Slipway, type StreamMessage, type Surroundings } from "./slipway.ts";

type Handler = (response: ServerResponse, request: IncomingMessage, count: number) => void;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server that says what it is told to each connection, and a client that waits for nothing. */
async function streaming(handle: Handler, given: Partial<Surroundings> = {}) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    handle(response, request, asked.length);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const pauses: number[] = [];
  const { surroundings } = stillSurroundings({
    after(ms, callback) {
      if (ms !== 40_000) {
        pauses.push(ms);
        setImmediate(callback);
      }
      return () => {};
    },
    ...given,
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  const client = new Slipway({ baseUrl, apiKey: "key", surroundings });
  const resumed = () => asked.map(({ headers }) => headers["last-event-id"]);
  return { client, asked, pauses, resumed };
}

function begin(response: ServerResponse): ServerResponse {
  response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  return response;
}

const ping = (at: number): StreamMessage => ({ type: "ping", at });
const said = (at: number) => `id: ${at}\ndata: ${JSON.stringify(ping(at))}\n\n`;

/** The first so many messages. */
async function take(stream: AsyncIterable<StreamMessage>, count: number): Promise<StreamMessage[]> {
  const found: StreamMessage[] = [];
  for await (const message of stream) if (found.push(message) === count) break;
  return found;
}

describe("a stream", () => {
  test("asks for its channels with the key, and gives messages as they come", async () => {
    const { client, asked } = await streaming((response) =>
      begin(response).write(said(1) + said(2)),
    );
    const stream = client.stream(["cex.trades:kraken:BTC-USD", "ramp.transactions"]);
    expect(asked).toEqual([]);
    expect(await take(stream, 2)).toEqual([ping(1), ping(2)]);
    expect(stream.lastEventId).toBe("2");
    const [{ url = "", headers = {} } = {}] = asked;
    expect(new URL(url, "http://x").searchParams.get("channels")).toBe(
      "cex.trades:kraken:BTC-USD,ramp.transactions",
    );
    expect(headers).toMatchObject({ apikey: "key", accept: "text/event-stream" });
  });

  test("closes its connection when nobody reads on", async () => {
    let closed = false;
    const { client } = await streaming((response) => {
      begin(response).write(said(1));
      response.on("close", () => {
        closed = true;
      });
    });
    await take(client.stream(["a"]), 1);
    await expect.poll(() => closed).toBe(true);
  });

  test("that breaks is taken up again after the last message that was read", async () => {
    const { client, resumed, pauses } = await streaming((response, _, count) => {
      begin(response).write(`${said(count)}data: {"type":"ping","at":0}\n\n`);
      // Cut off, or ended in order: both are a break.
      if (count % 2) setImmediate(() => response.destroy());
      else response.end("data: {");
    });
    const breaks: unknown[] = [];
    let opens = 0;
    const stream = client.stream(["a"], {
      onOpen: () => opens++,
      onBreak: (reason) => breaks.push(reason),
    });
    const messages = await take(stream, 7);
    expect(messages).toEqual([ping(1), ping(0), ping(2), ping(0), ping(3), ping(0), ping(4)]);
    expect(resumed()).toEqual([undefined, "1", "2", "3"]);
    expect(pauses).toEqual([500, 500, 500]);
    expect([opens, breaks.length]).toEqual([4, 3]);
  });

  test("goes on from where an earlier one was, and from where it was itself", async () => {
    const { client, resumed } = await streaming((response, _, count) =>
      begin(response).write(said(count)),
    );
    const stream = client.stream(["a"], { lastEventId: "before" });
    await take(stream, 1);
    await take(stream, 1);
    expect(resumed()).toEqual(["before", "1"]);
  });

  test("waits longer each time, as long as the server says, and for ever once it was connected", async () => {
    const { client, pauses } = await streaming((response, _, count) => {
      if (count === 1 || count === 9) begin(response).end(`retry: 2000\n\n${said(count)}`);
      else if (count === 4) response.writeHead(429, { "retry-after": "90" }).end();
      else response.writeHead(503).end();
    });
    expect(await take(client.stream(["a"]), 2)).toEqual([ping(1), ping(9)]);
    expect(pauses).toEqual([3_000, 1_000, 2_000, 90_000, 8_000, 8_000, 8_000, 8_000]);
  });

  test("is silent for 40 seconds only once: then the connection is made again", async () => {
    let waiting: (() => void)[] = [];
    const after: Surroundings["after"] = (ms, callback) => {
      if (ms !== 40_000) {
        setImmediate(callback);
        return () => {};
      }
      waiting.push(callback);
      return () => {
        waiting = waiting.filter((other) => other !== callback);
      };
    };
    const { client, asked, resumed } = await streaming(
      (response, _, count) => begin(response).write(said(count)),
      { after },
    );
    const reasons: unknown[] = [];
    const stream = client.stream(["a"], { onBreak: (reason) => reasons.push(reason) });
    const messages = stream[Symbol.asyncIterator]();
    expect(await messages.next()).toMatchObject({ value: ping(1) });
    // While the reader is busy, nobody listens for silence.
    expect(waiting).toEqual([]);
    const next = messages.next();
    await expect.poll(() => waiting.length).toBe(1);
    waiting[0]?.();
    expect(await next).toMatchObject({ value: ping(2) });
    expect(String(reasons)).toContain("it was silent for 40 s");
    expect([asked.length, resumed()]).toEqual([2, [undefined, "1"]]);
    await messages.return();
    expect(waiting).toEqual([]);
  });

  test.each([400, 401, 403, 404, 422])("that is refused with a %i is an error", async (status) => {
    const { client, asked } = await streaming((response) => {
      const body = { errors: [{ message: "There is no such channel." }], code: status };
      response.writeHead(status, { "slipway-error-type": "x" }).end(JSON.stringify(body));
    });
    await expect(take(client.stream(["a"]), 1)).rejects.toMatchObject({
      name: "SlipwayError",
      status,
      messages: ["There is no such channel."],
      type: "x",
    });
    expect(asked).toHaveLength(1);
  });

  test("that never gets through is an error after as many tries as any call", async () => {
    const { client, asked } = await streaming((response) => response.writeHead(503).end());
    await expect(take(client.stream(["a"]), 1)).rejects.toMatchObject({ status: 503 });
    expect(asked).toHaveLength(4);
  });

  test("is no page that somebody else serves", async () => {
    const { client } = await streaming((response) => response.end("<html>Welcome</html>"));
    await expect(take(client.stream(["a"]), 1)).rejects.toMatchObject({
      messages: ["The answer is no stream. Is this the address of a Slipway?"],
    });
  });

  test("ends when it is aborted: before, while it waits, while it is read, and in a pause", async () => {
    const { client, asked } = await streaming((response) =>
      begin(response).write(said(1) + said(2)),
    );
    expect(await take(client.stream(["a"], { signal: AbortSignal.abort() }), 9)).toEqual([]);
    expect(asked).toEqual([]);

    const reading = new AbortController();
    const read: StreamMessage[] = [];
    for await (const message of client.stream(["a"], { signal: reading.signal })) {
      read.push(message);
      reading.abort();
    }
    expect(read).toEqual([ping(1)]);

    const waiting = new AbortController();
    const messages = client.stream(["a"], { signal: waiting.signal })[Symbol.asyncIterator]();
    await messages.next();
    await messages.next();
    const next = messages.next();
    waiting.abort();
    expect(await next).toEqual({ done: true, value: undefined });

    const pausing = new AbortController();
    const broken = await streaming((response) => response.writeHead(503).end(), {
      after: () => () => {},
    });
    const options = {
      signal: pausing.signal,
      onBreak: () => queueMicrotask(() => pausing.abort()),
    };
    expect(await take(broken.client.stream(["a"], options), 9)).toEqual([]);
  });

  test("takes nothing from the connection that nobody reads", async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled++;
          controller.enqueue(new TextEncoder().encode(said(pulled)));
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { "content-type": "text/event-stream" };
    const client = new Slipway({
      baseUrl: "http://service",
      fetch: async () => new Response(body, { headers }),
    });
    const messages = client.stream(["a"])[Symbol.asyncIterator]();
    for (let count = 1; count <= 5; count++) {
      expect(await messages.next()).toMatchObject({ value: ping(count) });
      await new Promise(setImmediate);
      expect(pulled).toBe(count);
    }
    await messages.return();
  });
});
