import { parquetReadObjects } from "hyparquet";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { chartedPool, useChartsScene } from "../../../test/charts-scene.ts";
import { readCsv } from "../../../test/read-csv.ts";
import { sandboxKeys } from "../../accounts/api-key.ts";
import { mediaTypes } from "./format.ts";

const { app, feed } = useChartsScene();
const headers = { apiKey: sandboxKeys.operator };
const ask = (path: string, more: Record<string, string> = {}) =>
  app.ask(path, { headers: { ...headers, ...more } });

type Schema = { type?: string; items?: Schema; properties?: Record<string, Schema> };
type Operation = {
  parameters?: { name: string; schema: { enum?: string[] } }[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
};
type Document = { paths: Record<string, { get?: Operation }> };

/** What stands for the parameters of paths, so that there is something to be found. */
const values: Record<string, string> = {
  "/cex/{exchange}": "/cex/kraken",
  "/dex/{exchange}": "/dex/uniswap-v3",
  "{blockchain}": "ethereum",
  "{market}": "BTC-USD",
  "{pool}": chartedPool,
  "{name}": "bank:main:USD",
};
const queries: Record<string, string> = {
  "/v2/cex/kraken/BTC-USD/aggregates": "timeframe=1m&",
  "/v2/cex/kraken/BTC-USD/aggregate": "timeframe=1m&",
  [`/v2/dex/uniswap-v3/ethereum/pool/${chartedPool}/aggregate`]: "timeframe=hour&",
};

function filled(path: string): string {
  return Object.entries(values).reduce((url, [name, value]) => url.replace(name, value), path);
}

let paths: Document["paths"];
beforeAll(async () => {
  paths = ((await (await fetch(`${app.url}/openapi.json`)).json()) as Document).paths;
  await app.ask("/v2/ramp/subaccounts", {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ name: "Ada Lovelace", email: "ada@example.org" }),
  });
});
beforeEach(() => feed.tellStatus());

/** The rows of a JSON answer: the array that it is, or those in it. */
function rowsOf(json: unknown): unknown[] {
  if (Array.isArray(json)) return json;
  return Object.values(json as object).flatMap((value) => (Array.isArray(value) ? value : []));
}

/** What a column holds, in a row as JSON has it. */
function at(row: unknown, column: string, place: number): unknown {
  if (typeof row !== "object" || row === null) return row;
  if (Array.isArray(row)) return row[place - 1];
  return column.split(".").reduce<unknown>((value, name) => (value as never)?.[name], row);
}

/** A value as the cells of CSV have it: text as it is, everything else as JSON. */
function written(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A cell of CSV as Parquet has it, whose columns have types. */
function typed(cell: string | null, like: unknown): unknown {
  if (cell === null || typeof like === "string") return cell;
  if (typeof like === "bigint") return BigInt(cell);
  return typeof like === "number" ? Number(cell) : cell === "true";
}

describe("every list", () => {
  test("can be had as CSV and Parquet with the rows of the JSON, and says so in the document", async () => {
    const lists = Object.entries(paths).filter(([, { get }]) =>
      get?.parameters?.some(({ name }) => name === "format"),
    );
    expect(lists.length).toBeGreaterThan(35);
    let withRows = 0;
    for (const [path, { get }] of lists) {
      const types = Object.keys(get?.responses["200"]?.content ?? {});
      expect([path, types]).toEqual([path, Object.values(mediaTypes)]);
      const url = filled(path);
      if (url.includes("{")) continue;
      const json = await ask(`${url}?${queries[url] ?? ""}`);
      expect([path, json.status, json.headers.get("vary")]).toEqual([
        path,
        200,
        expect.stringMatching(/^accept\b/),
      ]);
      const rows = rowsOf(await json.json());
      if (rows.length > 0) withRows++;
      await compare(`${url}?${queries[url] ?? ""}`, rows);
    }
    expect(withRows).toBeGreaterThan(14);
  });

  test("is known as such: what has arrays and is no list is one thing with its parts", async () => {
    const others = Object.entries(paths).filter(([, { get }]) => {
      const isList = get?.parameters?.some(({ name }) => name === "format");
      return get && !isList && hasRows(get.responses["200"]?.content?.["application/json"]?.schema);
    });
    expect(others.map(([path]) => path).sort()).toEqual([
      "/operator/accounts/{userId}",
      "/operator/bankFiles/{fileId}",
      "/operator/reconciliations/{reportId}",
      "/operator/requests/summary",
      "/operator/transactions/{transactionId}",
      "/v2/requests/summary",
    ]);
  });

  function hasRows(schema: Schema | undefined): boolean {
    if (schema?.items) return schema.items.type === "object";
    return Object.values(schema?.properties ?? {}).some((inner) => inner.items?.type === "object");
  }

  async function compare(url: string, rows: unknown[]): Promise<void> {
    const csv = await ask(`${url}format=csv`);
    expect([url, csv.status, csv.headers.get("content-type")]).toEqual([
      url,
      200,
      "text/csv; charset=utf-8; header=present",
    ]);
    expect(csv.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w.-]+\.csv"$/);
    const [names = [], ...cells] = readCsv(await csv.text());
    const columns = names.map(String);
    expect(columns.length).toBeGreaterThan(0);
    const expected = rows.map((row, line) =>
      columns.map((name, place) => expectedCell(at(row, name, place), name, cells[line]?.[place])),
    );
    expect([url, cells]).toEqual([url, expected]);

    const parquet = await ask(url, { accept: mediaTypes.parquet });
    expect(parquet.headers.get("content-type")).toBe(mediaTypes.parquet);
    const read = await parquetReadObjects({ file: await parquet.arrayBuffer() });
    const values = read.map((row) => columns.map((name) => row[name] ?? null));
    const inTypes = cells.map((row, line) =>
      row.map((cell, place) => typed(cell, values[line]?.[place])),
    );
    expect([url, values]).toEqual([url, inTypes]);
  }

  /** What may be text or a list is JSON in either case; which array a row is from is not in the row. */
  function expectedCell(value: unknown, name: string, cell: string | null | undefined): unknown {
    if (name === "fees") return JSON.stringify(value);
    const isMark = value === undefined && (name === "kind" || name === "side");
    return isMark ? cell : written(value);
  }
});

describe("which format an answer has", () => {
  const path = "/v2/cex/kraken/BTC-USD/orders";
  const typeOf = async (url: string, accept?: string) => {
    const response = await ask(url, accept === undefined ? {} : { accept });
    return response.headers.get("content-type")?.split(";")[0];
  };

  test.each([
    ["*/*", "application/json"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/json"],
    ["text/csv", "text/csv"],
    ["TEXT/CSV", "text/csv"],
    ["text/csv, */*", "text/csv"],
    ["text/csv;q=0.5, */*", "application/json"],
    ["application/json, text/csv", "application/json"],
    ["text/csv;q=0", "application/json"],
    ["text/csv;q=x, application/vnd.apache.parquet;q=0.2", "application/vnd.apache.parquet"],
    ["application/json;q=0.2, text/csv;q=0.3", "text/csv"],
  ])("Accept: %s", async (accept, type) => {
    // A second time it goes the way that is for those who come again.
    expect([await typeOf(path, accept), await typeOf(path, accept)]).toEqual([type, type]);
    expect(await typeOf(path)).toBe("application/json");
  });

  test("?format wins over Accept", async () => {
    expect(await typeOf(`${path}?format=json`, "text/csv")).toBe("application/json");
    expect(await typeOf(`${path}?format=parquet`, "text/csv")).toBe(mediaTypes.parquet);
    expect(await typeOf(`${path}?format=json`)).toBe("application/json");
  });

  test.each(["xml", "", "CSV", "csv&format=json"])("400: format=%s", async (format) => {
    const response = await ask(`${path}?format=${format}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [{ message: "format must be one of json, csv, parquet" }],
    });
  });

  test("what is no list is JSON, and 400 when a table is insisted on", async () => {
    const price = "/v2/cex/kraken/BTC-USD/currentprice";
    expect(await typeOf(price, "text/csv")).toBe("application/json");
    const response = await ask(`${price}?format=csv`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [{ message: expect.stringContaining("only lists are served as tables") }],
    });
  });

  test("errors are JSON", async () => {
    const response = await ask("/v2/cex/kraken/NO-SUCH/orders?format=csv");
    expect([response.status, response.headers.get("content-type")]).toEqual([
      404,
      "application/json; charset=utf-8",
    ]);
  });

  test("pages have the same cursors, and links that keep the format", async () => {
    const page = await ask("/v2/cex/kraken/BTC-USD/trades?limit=1&format=csv");
    expect(page.headers.get("cb-after")).toMatch(/./);
    const [, next = ""] = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "") ?? [];
    expect(next).toMatch(/&format=csv$/);
    const [, row] = readCsv(await (await ask(next)).text());
    expect(row?.[0]).toBe("2");
  });

  test("HEAD has the headers and nothing else", async () => {
    const response = await app.ask(`${path}?format=csv`, { method: "HEAD", headers });
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="cex-kraken-BTC-USD-orders.csv"',
    );
    expect(await response.text()).toBe("");
  });
});

test("a name that a spreadsheet would run is shown as it is", async () => {
  const text = await (await ask("/v2/dex/uniswap-v3/ethereum/tokens?format=csv")).text();
  expect(text).toContain(`"'=HYPERLINK(""x"")"`);
  const trades = await ask(`/v2/dex/uniswap-v3/ethereum/pool/${chartedPool}/trades?format=csv`);
  expect(await trades.text()).toContain(",-1.5,");
});
