type Heard = (message: unknown) => void;

/** Who listens to what. `opened` and `closed` are called when a name gets its first or loses its last listener. */
export function createSubscribers(opened: (name: string) => void, closed: (name: string) => void) {
  const byName = new Map<string, Set<Heard>>();
  return {
    add(name: string, heard: Heard): () => void {
      const listeners = byName.get(name) ?? new Set();
      byName.set(name, listeners);
      listeners.add(heard);
      if (listeners.size === 1) opened(name);
      return () => {
        if (!listeners.delete(heard) || listeners.size > 0) return;
        byName.delete(name);
        closed(name);
      };
    },
    deliver(name: string, message: unknown): void {
      for (const heard of byName.get(name) ?? []) heard(message);
    },
  };
}
