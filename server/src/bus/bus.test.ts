import { spawn, spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, test } from "vitest";
import { silentLog } from "../../test/silent-log.ts";
import { type Bus, topic } from "./bus.ts";
import { openNatsBus } from "./nats-bus.ts";
import { openThreadBus } from "./thread-bus.ts";

type Tick = { count: number };
const ticks = topic<Tick>("test.ticks");
const others = topic<Tick>("test.others");
const hasNats = spawnSync("nats-server", ["--version"]).status === 0;
if (!hasNats) console.warn("SKIPPED: no nats-server is installed, so the NATS bus is not tested.");

/** What any bus promises, between two ends of it. */
function promises(openPair: () => Promise<{ one: Bus; two: Bus }>) {
  test("everybody who subscribed hears every message, in order, the sender included", async () => {
    const { one, two } = await openPair();
    const heard: Record<string, number[]> = { one: [], two: [], twoAgain: [] };
    one.subscribe(ticks, ({ count }) => heard.one?.push(count));
    two.subscribe(ticks, ({ count }) => heard.two?.push(count));
    two.subscribe(ticks, ({ count }) => heard.twoAgain?.push(count));
    two.subscribe(others, () => heard.two?.push(-1));
    await settled(one, two);
    const counts = Array.from({ length: 1_000 }, (_, count) => count);
    for (const count of counts) one.publish(ticks, { count });
    for (const name of ["one", "two", "twoAgain"])
      await expect.poll(() => heard[name]).toEqual(counts);
  });

  test("whoever unsubscribed hears nothing more", async () => {
    const { one, two } = await openPair();
    const heard: number[] = [];
    const stop = two.subscribe(ticks, ({ count }) => heard.push(count));
    await settled(one, two);
    stop();
    stop();
    one.publish(ticks, { count: 1 });
    await settled(one, two);
    expect(heard).toEqual([]);
  });
}

/** Resolves when what was sent before has arrived: a bus keeps the order. */
async function settled(one: Bus, two: Bus): Promise<void> {
  const probe = topic<Tick>("test.probe");
  const count = Math.random();
  await new Promise<void>((resolve) => {
    const stop = two.subscribe(probe, (message) => {
      if (message.count !== count) return;
      stop();
      clearInterval(timer);
      resolve();
    });
    const timer = setInterval(() => one.publish(probe, { count }), 5);
  });
}

const opened: Bus[] = [];
afterAll(async () => {
  for (const bus of opened) await bus.close();
});

describe("the thread bus", () => {
  promises(async () => {
    const space = `test-${Math.random()}`;
    const [one, two] = [openThreadBus(space), openThreadBus(space)];
    opened.push(one, two);
    return { one, two };
  });

  test("reaches another thread and hears from it", async () => {
    const bus = openThreadBus("test-threads");
    opened.push(bus);
    const heard: number[] = [];
    bus.subscribe(topic<Tick>("answers"), ({ count }) => heard.push(count));
    const worker = new Worker(
      `const { BroadcastChannel, parentPort } = require("node:worker_threads");
       const answers = new BroadcastChannel("test-threads.answers");
       new BroadcastChannel("test-threads.questions").onmessage = ({ data }) => answers.postMessage({ count: data.count * 2 });
       parentPort.postMessage("ready");`,
      { eval: true },
    );
    await new Promise((resolve) => worker.once("message", resolve));
    bus.publish(topic<Tick>("questions"), { count: 21 });
    await expect.poll(() => heard).toEqual([42]);
    await worker.terminate();
  });
});

describe.runIf(hasNats)("the NATS bus", async () => {
  const port = await freePort();
  const start = () =>
    spawn("nats-server", ["-a", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
  let server = hasNats ? start() : undefined;
  afterAll(() => void server?.kill());
  const url = `nats://127.0.0.1:${port}`;
  const open = async () => {
    let bus: Bus | undefined;
    await expect
      .poll(async () => {
        bus ??= await openNatsBus(url, "test", silentLog).catch(() => undefined);
        return bus;
      })
      .toBeDefined();
    opened.push(bus as Bus);
    return bus as Bus;
  };
  promises(async () => ({ one: await open(), two: await open() }));

  test("comes back after the server was away", async () => {
    const [one, two] = [await open(), await open()];
    const heard: number[] = [];
    two.subscribe(ticks, ({ count }) => heard.push(count));
    await settled(one, two);
    server?.kill("SIGKILL");
    await new Promise((resolve) => server?.once("exit", resolve));
    server = start();
    await settled(one, two);
    one.publish(ticks, { count: 7 });
    await expect.poll(() => heard).toContain(7);
  });
});

test("a NATS server that is not there is said plainly", async () => {
  const url = `nats://127.0.0.1:${await freePort()}`;
  await expect(openNatsBus(url, "test", silentLog)).rejects.toThrow("NATS_URL cannot be reached");
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
