import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { manualClock } from "../../../../test/manual-clock.ts";
import { watchmanScreening } from "./watchman.ts";

const clock = manualClock();
const hour = 3_600_000;
const listInfo = () => ({
  lists: { us_ofac: 17_646, us_csl: 442 },
  listHashes: { us_ofac: "0629aab", us_csl: "a572cf42" },
  startedAt: new Date(clock.now() - hour).toISOString(),
  endedAt: new Date(clock.now() - hour).toISOString(),
  version: "v0.51.0",
});

/** Somebody as the lists have them, in the form in which Watchman answers. */
const khoroshev = {
  name: "Dmitry Yuryevich KHOROSHEV",
  entityType: "person",
  sourceList: "us_ofac",
  sourceID: "48603",
  person: {
    name: "Dmitry Yuryevich KHOROSHEV",
    altNames: ["KHOROSHEV, Dmitriy", "Дмитрий Хорошев"],
    gender: "male",
    birthDate: "1993-04-17T00:00:00Z",
    governmentIDs: [{ type: "passport", country: "Russia", identifier: "2018278055" }],
  },
  business: null,
  contact: { emailAddresses: ["sitedev5@yandex.ru"] },
  cryptoAddresses: [{ currency: "XBT", address: "bc1qvhnfknw852ephxyc5hm4q520zmvf9maphetc9z" }],
  match: 0.97,
};

/** What the server answers, by the path without its query. */
const answers = new Map<string, RequestListener>();
const asked: URL[] = [];
const server = createServer((request, response) => {
  const url = new URL(request.url ?? "", "http://watchman");
  asked.push(url);
  answers.get(url.pathname)?.(request, response);
});
const withJson = (body: unknown, status = 200): RequestListener => {
  return (_, response) => void response.writeHead(status).end(JSON.stringify(body));
};

let base = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked.length = 0;
  answers.set("/v2/listinfo", withJson(listInfo()));
  answers.set("/v2/search", withJson({ query: {}, entities: null }));
});

const open = () => watchmanScreening({ url: `${base}/`, minMatch: 0.9, clock, timeoutMs: 1_500 });
const searches = () => asked.filter(({ pathname }) => pathname === "/v2/search");

/** Finds these among the people, and nobody else. */
const findPeople = (...entities: unknown[]) =>
  answers.set("/v2/search", (request, response) => {
    const isOfPeople = request.url?.includes("type=person");
    withJson({ entities: isOfPeople ? entities : [] })(request, response);
  });

describe("a name", () => {
  test("that nobody on the lists has is clear; people, firms and organizations are asked for", async () => {
    expect(await open().person("Ada & Sons Lovelace")).toBe("clear");
    const queries = searches().map(({ searchParams }) => Object.fromEntries(searchParams));
    expect(queries).toEqual(
      ["person", "business", "organization"].map((type) => ({
        ...{ name: "Ada & Sons Lovelace", type, minMatch: "0.5", limit: "20" },
      })),
    );
  });

  test.each([
    ["alike enough", 0.9, "Dmitri Khoroshef", "sanctioned"],
    ["not alike enough", 0.89, "Dmitri Khoroshef", "clear"],
    ["the very same", 0.6, "dmitry yuryevich khoroshev", "sanctioned"],
    ["an alias in another order", 0.6, "Dmitriy Khoróshev", "sanctioned"],
    ["an alias in another script", 0.6, "ХОРОШЕВ Дмитрий", "sanctioned"],
    ["a part of the name", 0.6, "Khoroshev", "clear"],
    ["no letters", 0.6, "-", "clear"],
  ])("that is %s, at %d: %s is %s", async (_, match, name, verdict) => {
    findPeople({ ...khoroshev, match });
    expect(await open().person(name)).toBe(verdict);
  });

  test("is asked for once a minute, however many ask", async () => {
    const screening = open();
    await Promise.all([screening.person("Ada"), screening.person("Ada")]);
    await screening.person("Ada");
    expect(asked).toHaveLength(4);
    clock.advance(60_000);
    findPeople({ ...khoroshev, name: "Ada", match: 1 });
    expect(await screening.person("Ada")).toBe("sanctioned");
    expect(asked).toHaveLength(8);
  });
});

describe("a wallet", () => {
  test("on a list is sanctioned, whatever currency it is listed for and however it is written", async () => {
    const address = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";
    const cryptoAddresses = [{ currency: "ETH", address: address.toLowerCase() }];
    findPeople({ ...khoroshev, cryptoAddresses, match: 0.5 });
    const screening = open();
    expect(await screening.wallet("base", address)).toBe("sanctioned");
    expect(searches()[0]?.searchParams.getAll("cryptoAddress")).toContain(`:${address}`);
    expect(searches()[0]?.searchParams.getAll("cryptoAddress")).toContain(`ETH:${address}`);
    expect(await screening.wallet("base", address.replace("0x0", "0x1"))).toBe("clear");
  });

  test("is asked for by the currencies of its blockchain", async () => {
    await open().wallet("bitcoin", "bc1qexample");
    expect(searches()[0]?.searchParams.getAll("cryptoAddress")).toEqual([
      ":bc1qexample",
      "XBT:bc1qexample",
    ]);
  });
});

describe("there is no answer, and nobody is let through,", () => {
  test.each<[string, string, RequestListener]>([
    ["at an error", "/v2/search", withJson({ error: "out of memory" }, 500)],
    ["at a refusal", "/v2/search", withJson({ error: "missing type" }, 400)],
    ["at what is no JSON", "/v2/search", (_, response) => void response.end('{"entities":[')],
    ["at other JSON", "/v2/search", withJson({ SDNs: [] })],
    ["at an entity without a score", "/v2/search", withJson({ entities: [{ name: "Ada" }] })],
    ["when none comes in time", "/v2/search", () => {}],
    ["when the connection breaks", "/v2/search", (request) => void request.socket.destroy()],
    ["at a redirect", "/v2/search", withJson({}, 302)],
    [
      "when it has no end",
      "/v2/search",
      (_, response) => {
        const write = () => {
          while (!response.destroyed && response.write(Buffer.alloc(262_144, " "))) {}
        };
        response.on("drain", write);
        write();
      },
    ],
    ["without lists", "/v2/listinfo", withJson({ ...listInfo(), lists: {} })],
    ["with an empty list", "/v2/listinfo", withJson({ ...listInfo(), lists: { us_ofac: 0 } })],
    [
      "with old lists",
      "/v2/listinfo",
      withJson({ ...listInfo(), endedAt: "2025-12-01T00:00:00Z" }),
    ],
    ["with lists of no age", "/v2/listinfo", withJson({ lists: { us_ofac: 1 } })],
    ["when the lists are not told", "/v2/listinfo", withJson([], 503)],
  ])("%s", async (_, path, answer) => {
    answers.set(path, answer);
    const screening = open();
    await expect(screening.person("Ada")).rejects.toThrow(/does not answer|cannot be relied on/);
    await expect(screening.wallet("base", "0x1")).rejects.toThrow();
    // A failure is not kept: the next who asks gets what there is then.
    answers.set("/v2/listinfo", withJson(listInfo()));
    answers.set("/v2/search", withJson({ entities: [] }));
    expect(await screening.person("Ada")).toBe("clear");
  });
});
