import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { systemClock } from "../../server/src/lib/clock.ts";
import { assert } from "../../server/src/lib/errors.ts";
import { systemRandom } from "../../server/src/lib/random.ts";
import { runSlipway } from "../src/program.ts";

type Look = { isTTY?: boolean; hasColors?: boolean };

/** A terminal of which everything that is written can be read. */
export function commandLine({ isTTY = false, hasColors = true }: Look = {}) {
  const stop = new AbortController();
  const written = { out: "", errors: "" };
  const screen = (name: keyof typeof written) => ({
    isTTY,
    hasColors: () => hasColors,
    write(text: string | Uint8Array) {
      written[name] += typeof text === "string" ? text : Buffer.from(text).toString();
    },
  });
  const terminal = {
    out: screen("out"),
    errors: screen("errors"),
    // Nobody waits in tests for as long as people do.
    clock: {
      now: systemClock.now,
      sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(Math.min(ms, 20), signal),
    },
    random: systemRandom,
    stopped: () => stop.signal,
  };
  return {
    written,
    /** As Ctrl-C does. */
    stop: () => stop.abort(),
    async run(...args: string[]) {
      const code = await runSlipway(args, terminal);
      return { code, ...written };
    },
  };
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A service that says what a test wants; it is a healthy sandbox unless told otherwise. */
export async function fakeService(
  answer: Answer,
  health: object = { mode: "sandbox", status: "ok" },
): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === "/health/ready") return void response.end(JSON.stringify(health));
    asked.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert(address && typeof address === "object", "a server that listens has a port");
  return { url: `http://127.0.0.1:${address.port}`, asked };
}
