import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Slipway, SlipwayError } from "@slipway/sdk";
import { describe, expect, test } from "vitest";
import { postmastersUnder, processesNaming } from "./postgres-processes.ts";
import { startService, type TestService, temporaryFolder } from "./test-service.ts";

/** `CRASH_ROUNDS=50 npx vitest run server/test/crash.test.ts` is the long version. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 2);
const writers = 4;

const clientOf = ({ url }: TestService) =>
  new Slipway({ baseUrl: url, apiKey: "slp_sandbox_master", retries: 0 });

/** Writes until told to stop. What is in `acknowledged` was answered with 201, so it must never be lost. */
function writeConstantly(service: TestService, acknowledged: Set<string>) {
  let isStopped = false;
  const unexpected: unknown[] = [];
  const write = async () => {
    while (!isStopped) {
      const email = `${crypto.randomUUID()}@example.com`;
      try {
        const { newSubAccountId } = await clientOf(service).ramp.subaccounts.create({
          name: "A B",
          email,
        });
        acknowledged.add(newSubAccountId);
      } catch (error) {
        // Refused with 503, or cut off: the client knows that it does not know.
        if (error instanceof SlipwayError && error.status !== 503) unexpected.push(error);
      }
    }
  };
  const running = Promise.all(Array.from({ length: writers }, write));
  return {
    unexpected,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

async function expectAllThere(service: TestService, acknowledged: Set<string>): Promise<void> {
  const there = new Set((await clientOf(service).ramp.subaccounts.list()).map(({ id }) => id));
  expect([...acknowledged].filter((id) => !there.has(id))).toEqual([]);
}

const grown = (acknowledged: Set<string>, before: number) =>
  expect.poll(() => acknowledged.size, { interval: 5 }).toBeGreaterThan(before + 5);

describe("kill -9 during writes", () => {
  test(`of the service, ${rounds} times: nothing acknowledged is lost, no process stays`, async () => {
    const acknowledged = new Set<string>();
    const dataFolder = temporaryFolder();
    let slowestMs = 0;
    let service = await startService({ env: { SLIPWAY_DATA: dataFolder } });
    for (let round = 0; round < rounds; round++) {
      const writing = writeConstantly(service, acknowledged);
      await grown(acknowledged, acknowledged.size);
      service.signal("SIGKILL");
      await service.ended;
      await writing.stop();
      expect(writing.unexpected).toEqual([]);
      const startedAt = performance.now();
      service = await startService({ env: { SLIPWAY_DATA: dataFolder } });
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      expect(postmastersUnder(dataFolder)).toHaveLength(1);
      await expectAllThere(service, acknowledged);
    }
    console.log(
      `killed the service ${rounds} times: ${acknowledged.size} rows kept, slowest start ${slowestMs.toFixed(0)} ms`,
    );
    const lockFile = readFileSync(join(dataFolder, "postgres/postmaster.pid"), "utf8");
    const socketFolder = lockFile.split("\n")[4] ?? "";
    expect(existsSync(socketFolder)).toBe(true);
    service.signal("SIGKILL");
    await service.ended;
    await expect.poll(() => processesNaming(dataFolder)).toEqual([]);
    expect(existsSync(socketFolder)).toBe(false);
  }, 600_000);

  test(`of postgres, ${rounds} times: the service answers 503, comes back by itself, and has lost nothing`, async () => {
    const acknowledged = new Set<string>();
    const service = await startService();
    for (let round = 0; round < rounds; round++) {
      const writing = writeConstantly(service, acknowledged);
      await grown(acknowledged, acknowledged.size);
      const [killed = 0] = postmastersUnder(service.dataFolder);
      process.kill(killed, "SIGKILL");
      // Until its children notice, they may still answer: wait for the next one.
      await expect
        .poll(() => postmastersUnder(service.dataFolder).filter((pid) => pid !== killed))
        .toHaveLength(1);
      await grown(acknowledged, acknowledged.size);
      await writing.stop();
      expect(writing.unexpected).toEqual([]);
      await expectAllThere(service, acknowledged);
    }
    console.log(`killed postgres ${rounds} times: ${acknowledged.size} rows kept`);
    expect(await service.stop()).toBe(0);
    expect(processesNaming(service.dataFolder)).toEqual([]);
  }, 600_000);
});
