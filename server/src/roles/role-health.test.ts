import { afterEach, expect, test } from "vitest";
import { manualClock } from "../../test/manual-clock.ts";
import { silentLog } from "../../test/silent-log.ts";
import { openThreadBus } from "../bus/thread-bus.ts";
import { systemClock } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { superviseThread, type Thread } from "../lib/thread.ts";
import { watchRoles } from "./role-health.ts";
import { heartbeats } from "./roles.ts";

let thread: Thread;
afterEach(() => thread.stop());

test("a role that has gone silent shows, and so does its return", async () => {
  const clock = manualClock();
  thread = superviseThread({
    name: "obedient",
    file: new URL("../../test/threads/obedient.js", import.meta.url),
    workerData: {},
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
  });
  const bus = openThreadBus("test-role-health");
  const health = watchRoles(bus, clock, new Map([["ramp", thread]]));
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
