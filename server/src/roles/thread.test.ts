import { afterEach, expect, test } from "vitest";
import { manualClock } from "../../test/manual-clock.ts";
import { recordingLog } from "../../test/silent-log.ts";
import { openThreadBus } from "../bus/thread-bus.ts";
import { systemClock } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { watchRoles } from "./role-health.ts";
import { heartbeats } from "./roles.ts";
import { superviseThread, type Thread } from "./thread.ts";

const { log, lines } = recordingLog();
const threads: Thread[] = [];
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.stop();
});

function supervise(name: string): Thread {
  const file = new URL(`../../test/threads/${name}.js`, import.meta.url);
  const thread = superviseThread({
    name,
    file,
    workerData: {},
    clock: systemClock,
    random: systemRandom,
    log,
  });
  threads.push(thread);
  return thread;
}

test("a thread runs until it is told to stop", async () => {
  const thread = supervise("obedient");
  await expect
    .poll(() => thread.health())
    .toEqual({ state: "running", restarts: 0, lastError: null });
  await thread.stop();
  expect(thread.health().restarts).toBe(0);
});

test("a thread that crashes is started again, and its health and the log say why", async () => {
  const thread = supervise("crashing");
  await expect.poll(() => thread.health().restarts).toBeGreaterThan(2);
  expect(thread.health().lastError).toBe("crashed on purpose");
  expect(lines.join("")).toContain("a worker thread crashed; starting it again");
});

test("a thread that does not listen is ended all the same", async () => {
  const thread = supervise("deaf");
  await expect.poll(() => thread.health().state).toBe("running");
  await thread.stop();
});

test("a role that has gone silent shows, and so does its return", async () => {
  const clock = manualClock();
  const bus = openThreadBus("test-role-health");
  const health = watchRoles(bus, clock, new Map([["ramp", supervise("obedient")]]));
  const beat = () => {
    bus.publish(heartbeats, { role: "ramp" });
    return new Promise((resolve) => setImmediate(resolve));
  };
  await expect.poll(() => health().ramp?.state).toBe("running");
  await beat();
  clock.advance(6_000);
  expect(health().ramp?.state).toBe("silent");
  await beat();
  expect(health().ramp?.state).toBe("running");
  await bus.close();
});
