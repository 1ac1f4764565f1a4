import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A file of ours that runs in a process of its own, and what it said when it was ready or done. */
export type Running<Answer> = { answer: Answer; process: ChildProcess; stop(): Promise<void> };

/** Starts a file in a process of its own, hands it its orders, and waits for its answer. */
export async function startProcess<Answer>(
  file: string,
  orders: object,
  { flags = [] }: { flags?: string[] } = {},
): Promise<Running<Answer>> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    execArgv: ["--import", "tsx", ...flags],
  });
  child.send(orders);
  const answer = await new Promise<Answer>((resolve, reject) => {
    child.once("message", (message) => resolve(message as Answer));
    child.once("exit", (code) => reject(new Error(`${file} ended with ${code}.`)));
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, "exit");
  };
  return { answer, process: child, stop };
}

/** The same for a file that answers when it is done. */
export async function runProcess<Answer>(
  file: string,
  orders: object,
  options: { flags?: string[] } = {},
): Promise<Answer> {
  const { answer, process } = await startProcess<Answer>(file, orders, options);
  if (process.exitCode === null) await once(process, "exit");
  return answer;
}

/** In such a process: does what was ordered, and answers. */
export function obey<Orders, Answer>(work: (orders: Orders) => Promise<Answer>): void {
  process.once("message", async (orders) => {
    const answer = await work(orders as Orders);
    process.send?.(answer);
    process.disconnect();
  });
}
