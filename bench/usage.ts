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
  return percentile(numbers, 50);
}

/** The number below which this many of a hundred are. */
export function percentile(numbers: readonly number[], percent: number): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length * percent) / 100)] ?? 0;
}
