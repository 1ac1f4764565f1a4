import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Starts the built service on any free port, and waits until it says where it listens. */
export async function startService(env: Record<string, string>) {
  const child = spawn(process.execPath, ["cli/bin/slipway.js", "start"], {
    cwd: root,
    env: { ...process.env, PORT: "0", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (!url) continue;
    child.stdout.resume();
    const stop = async () => {
      child.kill();
      await once(child, "exit");
    };
    return { url, stop };
  }
  throw new Error("The service did not start.");
}
