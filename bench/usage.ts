/** What a process used while it did one thing. */
export type Usage = { seconds: number; cpuSeconds: number; peakMiB: number };

/** Measures this process while it works. The peak is the process's own since it started. */
export async function measure(work: () => Promise<unknown>): Promise<Usage> {
  const cpu = process.cpuUsage();
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const { maxRSS } = process.resourceUsage();
  return { seconds, cpuSeconds: (user + system) / 1e6, peakMiB: maxRSS / 1_024 };
}

export function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}
