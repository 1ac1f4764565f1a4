import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { silentLog } from "../../test/silent-log.ts";
import { steppingClock } from "../../test/stepping-clock.ts";
import { openHub } from "./hub.ts";
import type { StateSource } from "./source.ts";

const client = { keyId: "key-1", transport: "sse", mayStay: () => true } as const;

/** The way to somebody who has read so much of what was sent. */
function reader() {
  const state = { taken: 0, pending: 0, sent: 0, hasEnded: false };
  const outlet = {
    pending: () => state.pending,
    taken: () => state.taken,
    send() {
      state.sent++;
    },
    end() {
      state.hasEnded = true;
    },
    destroy() {
      state.hasEnded = true;
    },
  };
  return { state, outlet };
}

test("a key has a thousand streams at most, and another has its own", () => {
  const hub = openHub({ clock: steppingClock(), log: silentLog });
  const opened = Array.from({ length: 1_000 }, () => hub.add(client, reader().outlet));
  expect(() => hub.expectRoom("key-1")).toThrow("A key may hold 1000 streams at a time");
  hub.expectRoom("key-2");
  opened[500]?.left();
  hub.expectRoom("key-1");
  hub.close();
  expect(() => hub.expectRoom("key-2")).toThrow("The service is stopping.");
});

test("who takes nothing for a minute is cut off, and who reads slowly is not", async () => {
  const clock = steppingClock();
  const hub = openHub({ clock, log: silentLog });
  const [stuck, slow] = [reader(), reader()];
  for (const { outlet } of [stuck, slow]) hub.add(client, outlet);
  for (const { state } of [stuck, slow]) state.pending = 100_000;
  for (let pings = 0; pings < 6; pings++) {
    slow.state.taken += 10;
    clock.advance(15_000);
    await setImmediate();
  }
  expect([stuck.state.hasEnded, slow.state.hasEnded]).toEqual([true, false]);
  // Nothing is added to what they do not read.
  expect([stuck.state.sent, slow.state.sent]).toEqual([0, 0]);
  hub.close();
});

test("a source is opened once for all who listen, and closed with the last of them", () => {
  const hub = openHub({ clock: steppingClock(), log: silentLog });
  let isOpen = 0;
  const open = (): StateSource => {
    isOpen++;
    const close = () => {
      isOpen--;
    };
    return {
      kind: "state",
      ready: Promise.resolve(),
      listeners: new Set(),
      whole: () => undefined,
      close,
    };
  };
  const [one, other] = [hub.take("a", open), hub.take("a", open)];
  expect(one.source).toBe(other.source);
  one.release();
  one.release();
  expect(isOpen).toBe(1);
  other.release();
  expect(isOpen).toBe(0);
  hub.close();
});
