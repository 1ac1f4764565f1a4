import { Slipway } from "@slipway/sdk";
import { describe, expect, test } from "vitest";
import { openThreadBus } from "../src/bus/thread-bus.ts";
import { systemClock as clock } from "../src/lib/clock.ts";
import { systemRandom as random } from "../src/lib/random.ts";
import { exchangeFaultEndpoints } from "../src/sandbox/endpoints/exchange-faults.ts";
import { useApp } from "./test-app.ts";

const bus = openThreadBus("sdk-openapi");
const app = useApp({}, clock, { sandboxEndpoints: exchangeFaultEndpoints({ bus, clock, random }) });

/** What the client leaves out, and why. */
const leftOut: [reason: string, pattern: RegExp][] = [
  ["another spelling of `aggregates`", /^GET \/v2\/cex\/\{\}\/\{\}\/aggregate$/],
  ["the protocol of a charting library, which brings its own client", /^GET \/udf\//],
  ["what `client.stream` reads, for those who prefer a WebSocket", /^GET \/v2\/ws$/],
];

type Document = { paths: Record<string, Record<string, { deprecated?: boolean }>> };

/** Every endpoint, with `{}` for each parameter, except those that only lead to their successor. */
async function documented(): Promise<string[]> {
  const { paths } = (await (await app.ask("/openapi.json")).json()) as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { deprecated }]) => !deprecated)
      .map(([method]) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "{}")}`),
  );
}

/** What every method of a client asks for when it is called with these arguments. */
async function askedByAll(): Promise<Map<string, string>> {
  const askedBy = new Map<string, string>();
  let calling = "";
  const client = new Slipway({
    baseUrl: "http://service",
    fetch: async (url, { method }) => {
      const path = new URL(url).pathname.replace(/\/argument(?=\/|$)/g, "/{}");
      askedBy.set(calling, `${method} ${path}`);
      return Response.json({}, { status: path === "/v2/stream" ? 400 : 200 });
    },
  });
  const call = async (name: string, method: (...args: unknown[]) => unknown) => {
    calling = name;
    await method("argument", "argument", "argument", {});
    expect(askedBy.has(name), `${name} asks for something`).toBe(true);
  };
  const walk = async (name: string, part: object): Promise<void> => {
    for (const [key, value] of Object.entries(part)) {
      if (typeof value === "function") await call(`${name}.${key}`, value);
      else await walk(`${name}.${key}`, value);
    }
  };
  await walk("client", client);
  await call("client.health", () => client.health());
  await call("client.stream", () =>
    client
      .stream(["channel"])
      [Symbol.asyncIterator]()
      .next()
      .catch(() => undefined),
  );
  return askedBy;
}

describe("the SDK", () => {
  test("has a method for every endpoint of the API, and none for what is not there", async () => {
    const asked = new Set((await askedByAll()).values());
    const endpoints = (await documented()).filter(
      (endpoint) => !leftOut.some(([, pattern]) => pattern.test(endpoint)),
    );
    expect([...asked].toSorted()).toEqual([...endpoints, "GET /health/ready"].toSorted());
  });

  test("leaves out only what there is", async () => {
    const endpoints = await documented();
    const needless = leftOut.filter(([, pattern]) => !endpoints.some((each) => pattern.test(each)));
    expect(needless).toEqual([]);
  });
});
