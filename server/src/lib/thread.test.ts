import { afterEach, expect, test } from "vitest";
import { recordingLog } from "../../test/silent-log.ts";
import { systemClock } from "./clock.ts";
import { systemRandom } from "./random.ts";
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

test("what a thread says is heard, and at each start it is told what holds then", async () => {
  const heard: unknown[] = [];
  const workerData = { port: 0 };
  const thread = superviseThread({
    name: "talking",
    file: new URL("../../test/threads/talking.js", import.meta.url),
    workerData,
    onMessage: (message) => {
      heard.push(message);
      workerData.port = 7;
    },
    clock: systemClock,
    random: systemRandom,
    log,
  });
  threads.push(thread);
  await expect.poll(() => heard.slice(0, 2)).toEqual([{ port: 0 }, { port: 7 }]);
});
