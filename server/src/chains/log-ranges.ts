import { setMaxListeners } from "node:events";
import type { LogRange } from "./chain.ts";
import type { BlockRange, SourcedLogs } from "./log-source.ts";
import { afterAnswer, afterRefusal, nextBlocks, type RangeSize, splitRange } from "./range-size.ts";
import { RpcFailure } from "./rpc-failure.ts";

type StreamOptions = BlockRange & {
  /** Fetches one range; an `RpcFailure` asks for smaller ones. */
  fetch(range: BlockRange, signal: AbortSignal): Promise<SourcedLogs>;
  size: RangeSize;
  /** The longest range that whoever is asked now would take. */
  mostBlocks(): number;
  /** Called with the source of every range that is handed on. */
  handedOn(source: SourcedLogs): void;
  rangesAtOnce: number;
  bufferedLogsMost: number;
  signal: AbortSignal;
};

type Task = (BlockRange & { state: "waiting" | "running" }) | (BlockRange & Done);
type Done = { state: "done"; source: SourcedLogs };

/** Logs of many blocks as ranges in order and without gaps. Several are fetched ahead, a limited amount is kept. */
export async function* streamRanges(options: StreamOptions): AsyncGenerator<LogRange> {
  const { fetch, mostBlocks, handedOn, rangesAtOnce, bufferedLogsMost, signal } = options;
  const stopping = new AbortController();
  setMaxListeners(Number.POSITIVE_INFINITY, stopping.signal);
  const stop = () => stopping.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });

  /** What has been planned and not been handed on, in the order of the chain. */
  let tasks: Task[] = [];
  const running = new Set<Promise<void>>();
  let { size } = options;
  let planned = options.from;
  let failure: { error: unknown } | undefined;
  let wake = () => {};

  function plan(): Task | undefined {
    if (planned > options.to) return undefined;
    const blocks = Math.max(1, Math.min(nextBlocks(size), mostBlocks()));
    const task: Task = {
      from: planned,
      to: Math.min(options.to, planned + blocks - 1),
      state: "waiting",
    };
    planned = task.to + 1;
    tasks.push(task);
    return task;
  }

  /** The first task must always run: it is the one that is waited for. */
  function hasRoom(): boolean {
    const kept = tasks.reduce((sum, task) => sum + logsOf(task), 0);
    return kept + (running.size + 1) * size.target.logs <= bufferedLogsMost;
  }

  /** What to fetch next, if there is room: a part of a range that was refused, or a new one. */
  function nextTask(): Task | undefined {
    const waiting = tasks.find(({ state }) => state === "waiting");
    const isFirst = waiting ? waiting === tasks[0] : tasks.length === 0;
    return isFirst || hasRoom() ? (waiting ?? plan()) : undefined;
  }

  function startMore(): void {
    while (!failure && running.size < rangesAtOnce) {
      const task = nextTask();
      if (!task) return;
      start(task);
    }
  }

  function start(task: Task): void {
    replace(task, [{ ...task, state: "running" }]);
    const work = fetch(task, stopping.signal)
      .then(
        (source) => answered(task, source),
        (error) => refused(task, error),
      )
      .finally(() => {
        running.delete(work);
        if (!stopping.signal.aborted) startMore();
        wake();
      });
    running.add(work);
  }

  function replace(task: BlockRange, others: Task[]): void {
    const at = tasks.findIndex(({ from }) => from === task.from);
    tasks.splice(at, 1, ...others);
  }

  function answered({ from, to }: BlockRange, source: SourcedLogs): void {
    const { logs, bytes } = source.value;
    size = afterAnswer(size, { blocks: to - from + 1, logs: logs.length, bytes });
    replace({ from, to }, [{ from, to, state: "done", source }]);
  }

  function refused({ from, to }: BlockRange, error: unknown): void {
    if (!(error instanceof RpcFailure) || from === to) {
      failure ??= { error };
      return;
    }
    const advice = error.details.advice ?? {};
    size = afterRefusal(size, { blocks: to - from + 1, advice });
    const parts = splitRange({ from, to }, advice);
    replace(
      { from, to },
      parts.map((part) => ({ ...part, state: "waiting" })),
    );
  }

  /** What may go on: the first range, when it is there. */
  function takeFirst(): (BlockRange & Done) | undefined {
    const [first] = tasks;
    if (first?.state !== "done") return undefined;
    tasks = tasks.slice(1);
    return first;
  }

  try {
    while (tasks.length > 0 || planned <= options.to) {
      signal.throwIfAborted();
      startMore();
      const first = takeFirst();
      if (first) {
        startMore();
        handedOn(first.source);
        yield { from: first.from, to: first.to, logs: first.source.value.logs };
      } else if (failure) throw failure.error;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stopping.abort();
    await Promise.allSettled(running);
  }
}

const logsOf = (task: Task) => (task.state === "done" ? task.source.value.logs.length : 0);
