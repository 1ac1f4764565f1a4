import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A file of ours in a process of its own, and what it said when it was ready or done. */
export type Running<Answer> = { answer: Answer; stop(): Promise<void> };

/** Starts a file with the flags we were started with, hands it its orders, and waits for its answer. */
export async function startProcess<Answer>(file: string, orders: object): Promise<Running<Answer>> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)));
  const ended = once(child, "exit");
  child.send(orders);
  const [answer] = await Promise.race([
    once(child, "message"),
    ended.then(([code]) => Promise.reject(new Error(`${file} ended with ${code}.`))),
  ]);
  const stop = async () => {
    if (child.connected) child.disconnect();
    await ended;
  };
  return { answer, stop };
}

/** The same for a file that answers when it is done. */
export async function runProcess<Answer>(file: string, orders: object): Promise<Answer> {
  const { answer, stop } = await startProcess<Answer>(file, orders);
  await stop();
  return answer;
}

/** In such a process: does what was ordered and answers. The process ends when nobody needs it any more. */
export function obey<Orders, Answer>(work: (orders: Orders) => Promise<Answer>): void {
  process.once("disconnect", () => process.exit());
  process.once("message", async (orders) => {
    process.send?.(await work(orders as Orders));
  });
}
