import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { beforeAll, describe, expect, test } from "vitest";
import {
  bytes,
  dexChains,
  insertDeployment,
  insertTokens,
} from "../../../server/test/dex-fixture.ts";
import { useApp } from "../../../server/test/test-app.ts";
import { temporaryFolder } from "../../../server/test/test-service.ts";
import { commandLine, fakeService } from "../../test/command-line.ts";

const app = useApp({}, undefined, { chains: dexChains });
const folder = temporaryFolder();
const key = ["--api-key", "slp_sandbox_operator"];
const emails = Array.from({ length: 7 }, (_, index) => `ada.${index}@example.com`);

beforeAll(async () => {
  for (const email of emails) {
    await app.as("operator").ramp.subaccounts.create({ name: "Ada, Countess", email });
  }
  const deployment = await insertDeployment(app.db);
  const numbers = Array.from({ length: 5 }, (_, index) => index + 1);
  await insertTokens(
    app.db,
    numbers.map((token) => ({ deployment, token, address: bytes(token), symbol: `T${token}` })),
  );
});

/** Exports into a file with this ending, two rows at a time. */
async function exported(path: string, ending: string) {
  const file = join(folder, `${path.replaceAll("/", "-")}${ending}`);
  const limit = ["-q", "limit=2"];
  const typed = ["export", path, "-o", file, ...limit, ...key, "--url", app.url, "--json"];
  const { code, out, errors } = await commandLine().run(...typed);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  return { file, told: JSON.parse(out), content: readFileSync(file) };
}

async function walk<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("slipway export", () => {
  test("goes through all pages: by cursor, by number and by counting", async () => {
    const { operator, ramp, dex } = app.as("operator");
    const accounts = await exported("operator/accounts", ".json");
    const all = await walk(operator.accounts.list());
    expect(all.length).toBeGreaterThan(emails.length);
    expect(JSON.parse(accounts.content.toString())).toEqual(all);
    expect(accounts.told).toMatchObject({ format: "json", rows: all.length });
    expect(accounts.told).toMatchObject({ file: accounts.file, bytes: accounts.content.length });

    const events = await exported("ramp/events", ".jsonl");
    const lines = events.content.toString().trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(await walk(ramp.events()));
    expect(lines.length).toBe(emails.length);

    const tokens = await exported("dex/uniswap-v3/ethereum/tokens", ".ndjson");
    const listed = await dex.tokens("uniswap-v3", "ethereum");
    expect(tokens.told.rows).toBe(5);
    expect(tokens.content.toString()).toBe(
      listed.map((token) => `${JSON.stringify(token)}\n`).join(""),
    );
  });

  test("gives the CSV and the Parquet that the service would give on one page", async () => {
    const ask = (format: string) =>
      app.ask(`/operator/accounts?format=${format}`, {
        headers: { apiKey: "slp_sandbox_operator" },
      });
    const csv = await exported("operator/accounts", ".csv");
    expect(csv.content.toString()).toBe(await (await ask("csv")).text());
    const parquet = await exported("operator/accounts", ".parquet");
    const rowsOf = (content: Buffer | ArrayBuffer) =>
      parquetReadObjects({ file: Uint8Array.from(new Uint8Array(content)).buffer });
    const rows = await rowsOf(parquet.content);
    expect(rows).toEqual(await rowsOf(await (await ask("parquet")).arrayBuffer()));
    expect(rows.length).toBe(parquet.told.rows);
  });

  test("writes a list without rows", async () => {
    const { content, told } = await exported("ramp/transactions", ".json");
    expect({ text: content.toString(), rows: told.rows }).toEqual({ text: "[]\n", rows: 0 });
    const csv = await exported("ramp/transactions", ".csv");
    expect(csv.content.toString()).toMatch(/^id,[^\n]+\r\n$/);
  });

  test("leaves nothing behind when it is ended or fails", async () => {
    const { stop, run } = commandLine();
    const empty = temporaryFolder();
    const document = await (await app.ask("/openapi.json")).text();
    const { url, asked } = await fakeService((request, response) => {
      if (request.url === "/openapi.json") return void response.end(document);
      if (asked.length < 4) {
        response.setHeader("cb-after", "usr-1");
        response.end('[{"id": "usr-1"}]');
      } else if (request.url?.includes("limit=7")) response.writeHead(500).end();
      else stop();
    });
    const typed = ["export", "operator/accounts", "-o", join(empty, "x.csv"), ...key, "--url", url];
    expect((await run(...typed)).code).toBe(130);
    expect(asked.length).toBe(4);
    expect((await commandLine().run(...typed, "-q", "limit=7")).code).toBe(1);
    expect(readdirSync(empty)).toEqual([]);
  });

  test.each([
    ["x.txt", "ramp/events", 2, "must end in .json, .ndjson, .csv, .parquet"],
    ["x.csv", "nothing/here", 1, "There is no GET /v2/nothing/here"],
    ["x.csv", "ramp/verification", 1, "is not a list"],
  ])("into %s of %s is refused", async (name, path, code, message) => {
    const file = join(folder, name);
    const typed = ["export", path, "-o", file, ...key, "--url", app.url];
    const told = await commandLine().run(...typed);
    expect(told).toMatchObject({ code, errors: expect.stringContaining(message) });
    expect(existsSync(file)).toBe(false);
  });

  test("says on a terminal how far it is", async () => {
    const file = join(folder, "shown.csv");
    const typed = ["export", "operator/accounts", "-o", file, ...key, "--url", app.url];
    const { out, errors } = await commandLine({ isTTY: true }).run(...typed);
    const [, drawn, wiped] = errors.split("\r\x1b[K");
    expect(drawn).toMatch(/^\d+ rows, [\d,]+ bytes$/);
    expect(wiped).toBe("");
    expect(out).toMatch(/shown\.csv: \d+ rows, [\d,]+ bytes\.\n$/);
  });
});
