import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach } from "vitest";

/** What a fake exchange answers: a body, or a status and headers with it. */
type Answer = { status?: number; headers?: Record<string, string>; body: unknown };
type Answerer = (query: Record<string, string>) => Answer | Promise<Answer>;

const nothingHere = () => ({ status: 404, body: "nothing here" });

/** An HTTP server that answers like exchanges whose base URL leads to it. */
export function useFakeExchange() {
  const answerers = new Map<string, Answerer>();
  const requests: { path: string; query: Record<string, string> }[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const query = Object.fromEntries(searchParams);
    requests.push({ path: pathname, query });
    const answer: Answerer = answerers.get(pathname) ?? nothingHere;
    void Promise.resolve(answer(query)).then(({ status = 200, headers = {}, body }) => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });

  beforeEach(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterEach(async () => {
    answerers.clear();
    requests.length = 0;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  return {
    requests,
    server,
    get baseUrl() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    /** Says what is answered at a path, which begins with the exchange's host. */
    on(path: string, answer: Answerer) {
      answerers.set(path, answer);
    },
  };
}
