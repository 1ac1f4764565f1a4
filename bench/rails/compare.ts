import { measure, median, percentile, type Usage } from "../usage.ts";

/** One way to do the work. What is done before it is not measured. */
export type Way = { name: string; before?(): Promise<unknown>; work(): Promise<unknown> };

/** How often the work is done, and of how many things it consists. */
export type Times = { rounds: number; things: number };

/** Lets every way do the same work in turn, and tells how the first of them does beside each of the others. */
export async function compare(
  title: string,
  { rounds, things }: Times,
  ways: readonly Way[],
): Promise<void> {
  const usages = ways.map((): Usage[] => []);
  for (let round = -1; round < rounds; round++) {
    for (const [index, { before, work }] of ways.entries()) {
      await before?.();
      const usage = await measure(work);
      if (round >= 0) usages[index]?.push(usage);
    }
  }
  console.log(`\n${title}, ${rounds} rounds in turn:`);
  console.log(row("", "per second", "noise", "CPU µs", "ours of it"));
  const ours = usages[0] ?? [];
  for (const [index, { name }] of ways.entries()) {
    const own = usages[index] ?? [];
    console.log(row(name, ...figures(own, things), index === 0 ? "" : shareOf(ours, own)));
  }
}

function figures(usages: readonly Usage[], things: number): string[] {
  const perSecond = usages.map(({ seconds }) => things / seconds);
  const micros = usages.map(({ cpuSeconds }) => (1e6 * cpuSeconds) / things);
  return [count(median(perSecond)), percent(noiseOf(perSecond)), count(median(micros))];
}

/** Ratios are taken within each round, where the machine was equally busy for both, and then their median. */
function shareOf(ours: readonly Usage[], others: readonly Usage[]): string {
  const shares = ours.map(({ seconds }, round) => (others[round]?.seconds ?? 0) / seconds);
  return percent(median(shares));
}

/** How far apart most of the rounds are. */
function noiseOf(numbers: readonly number[]): number {
  return (percentile(numbers, 90) - percentile(numbers, 10)) / median(numbers);
}

/** A part of a hundred: 3.2 % or 57 %. */
function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
}

const count = (number: number) => Math.round(number).toLocaleString("en-US");

function row(name: string, ...cells: string[]): string {
  return name.padEnd(48) + cells.map((cell) => cell.padStart(14)).join("");
}
