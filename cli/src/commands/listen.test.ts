import { createServer } from "node:http";
import { type RampEvent, verifyWebhook } from "@slipway/sdk";
import { describe, expect, onTestFinished, test } from "vitest";
import { assert } from "../../../server/src/lib/errors.ts";
import { useApp } from "../../../server/test/test-app.ts";
import { commandLine, fakeService } from "../../test/command-line.ts";

const app = useApp();
const key = ["--api-key", "slp_sandbox_master"];
const wallet = (index: number) => ({
  address: `0x${String(index).padStart(40, "de709f2102306220921060314715629080e2fb")}`,
  blockchain: "base",
});

/** A receiver as users write them. */
async function receiver(secretOf: () => string, status = 204) {
  const heard: RampEvent[] = [];
  const server = createServer(async (request, response) => {
    const payload = Buffer.concat(await request.toArray());
    heard.push(await verifyWebhook({ payload, headers: request.headers, secret: secretOf() }));
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  assert(address && typeof address === "object", "a server that listens has a port");
  return { url: `http://127.0.0.1:${address.port}/hook`, heard };
}

describe("slipway listen", () => {
  test("forwards what happens from now on, signed with the secret that it shows", async () => {
    await app.as("master").ramp.wallets.create(wallet(1));
    const { run, written } = commandLine();
    const secretOf = () => /whsec_\S+/.exec(written.errors)?.[0] ?? "";
    const { url, heard } = await receiver(secretOf);
    const listening = run("listen", "--forward-to", url, "--count", "2", ...key, "--url", app.url);
    await expect.poll(() => written.errors).toContain("Waiting for events");
    // The number to begin after is asked for first; only what comes later is to be told.
    let created = 1;
    await expect
      .poll(async () => {
        await app.as("master").ramp.wallets.create(wallet(++created));
        return heard.length;
      })
      .toBeGreaterThan(1);
    const { code, out } = await listening;
    expect(code).toBe(0);
    const [first, second] = heard;
    expect(first?.sequence).toBeGreaterThan(1);
    expect(second?.sequence).toBe((first?.sequence ?? 0) + 1);
    expect(out.split("\n")[0]).toMatch(/ramp\.wallet\.created {2}wal-\d+ {2}204 in \d+ ms$/);
  });

  test("begins anywhere, chooses types, and says what the receiver answered", async () => {
    const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
    await app
      .as("master")
      .ramp.subaccounts.create({ name: "Ada Lovelace", email: "a@example.com" });
    const { url, heard } = await receiver(() => secret, 500);
    const typed = ["listen", "--since", "0", "--types", "ramp.sub*,x", "--count", "1", "--json"];
    const forwarding = ["--forward-to", url, "--secret", secret];
    const { code, out } = await commandLine().run(
      ...typed,
      ...forwarding,
      ...key,
      "--url",
      app.url,
    );
    expect({ code, types: heard.map(({ type }) => type) }).toEqual({
      code: 0,
      types: ["ramp.subaccount.created"],
    });
    expect(JSON.parse(out)).toMatchObject({
      event: heard[0],
      outcome: { ok: false, status: 500, error: null },
    });
    const gone = ["--forward-to", "http://127.0.0.1:1/"];
    const { out: line } = await commandLine().run(
      ...[...typed.slice(0, -1), ...gone, ...key, "--url", app.url],
    );
    expect(line).toMatch(/no answer: .+ in \d+ ms\n$/);
  });

  test("misses nothing and repeats nothing, whatever the service does in between", async () => {
    const all = Array.from({ length: 5 }, (_, index) => ({
      ...{ id: `evt-${index + 1}`, sequence: index + 1, type: "x", userId: "usr-1" },
      ...{ createdAt: "2026-11-15T00:00:00.000", data: { object: { id: `x-${index}` } } },
    }));
    let count = 0;
    const { url } = await fakeService((request, response) => {
      count++;
      if (count % 3 === 2) return void response.destroy();
      if (count % 3 === 0) return void response.writeHead(503).end("{}");
      const query = new URLSearchParams(request.url?.split("?")[1]);
      const events = all
        .filter(({ sequence }) => sequence > Number(query.get("after")))
        .slice(0, 2);
      response.end(JSON.stringify({ events, lastSequence: events.at(-1)?.sequence ?? 5 }));
    });
    const { run, written, stop } = commandLine();
    const listening = run("listen", "--since", "0", ...key, "--url", url);
    await expect.poll(() => written.out.split("\n").length).toBe(6);
    stop();
    const { code, out, errors } = await listening;
    expect(code).toBe(0);
    expect(out.match(/x-\d/g)).toEqual(["x-0", "x-1", "x-2", "x-3", "x-4"]);
    expect(errors).toContain(`${url} does not answer. Trying again.\n${url} answers again.\n`);
  });

  test.each([
    [["--forward-to", "localhost"], "--forward-to must be a URL"],
    [["--forward-to", "http://localhost/", "--secret", "s3cret"], "--secret must be whsec_"],
    [["--since", "soon"], "It must be a whole number"],
  ])("%j is not understood", async (args, message) => {
    const told = await commandLine().run("listen", ...args, "--url", app.url);
    expect(told).toMatchObject({ code: 2, errors: expect.stringContaining(message) });
  });
});
