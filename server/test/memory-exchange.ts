import type { FileExchange } from "../src/ramp/rails/file-exchange.ts";

/** A place for files in memory, which both sides see into. */
export type MemoryExchange = FileExchange & {
  /** What we left for the bank, by name. */
  sent: Map<string, Buffer>;
  /** What the bank left for us and we have not set aside, by name. */
  waiting: Map<string, Buffer>;
  /** Names of what we set aside, in order. */
  aside: string[];
  /** When set, every call fails with it. */
  fault: string | undefined;
};

/** A bank's file server in memory. */
export function memoryExchange(): MemoryExchange {
  const check = () => {
    if (exchange.fault !== undefined) throw new Error(exchange.fault);
  };
  const exchange: MemoryExchange = {
    sent: new Map(),
    waiting: new Map(),
    aside: [],
    fault: undefined,
    async put(name, bytes) {
      check();
      const there = exchange.sent.get(name);
      if (there && !there.equals(bytes)) throw new Error(`${name} is there with other bytes`);
      exchange.sent.set(name, bytes);
    },
    async list() {
      check();
      return [...exchange.waiting.keys()];
    },
    async get(name) {
      check();
      const bytes = exchange.waiting.get(name);
      if (!bytes) throw new Error(`there is no file ${name}`);
      return bytes;
    },
    async setAside(name) {
      check();
      if (exchange.waiting.delete(name)) exchange.aside.push(name);
    },
  };
  return exchange;
}
