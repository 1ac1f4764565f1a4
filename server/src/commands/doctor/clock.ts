import type { Clock } from "../../lib/clock.ts";
import { broken, type Finding, ok, warning } from "./check.ts";
import { inWords } from "./words.ts";

const warnBeyondMs = 2_000;
const brokenBeyondMs = 30_000;
const answerMs = 5_000;
const askedMost = 3;

type ClockOptions = { clock: Clock; fetch?: typeof fetch };

/** Compares our clock with what configured servers say the time is. They say it with every answer. */
export async function clockFindings(
  addresses: readonly string[],
  { clock, fetch: ask = fetch }: ClockOptions,
): Promise<Finding[]> {
  const origins = [...new Set(addresses.map((address) => new URL(address).origin))];
  const differences = await Promise.all(
    origins.slice(0, askedMost).map((origin) => differenceFrom(origin, clock, ask)),
  );
  const told = differences.filter((difference) => difference !== undefined);
  if (told.length === 0)
    return [ok("Not compared: nothing is configured, or answers, that tells the time")];
  // Of several the middle one is believed: one that is wrong is outvoted.
  const sorted = told.sort((one, other) => Math.abs(one) - Math.abs(other));
  const difference = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const trouble = clockTrouble(difference, "others");
  return trouble.length > 0 ? trouble : [ok("Our clock agrees with what others say")];
}

/**
 * By how much our clock is at least ahead of another one (negative: behind) that told its time while ours went from
 * `from` to `to`. Whoever tells the time in steps, such as whole seconds, may mean any moment of the step.
 */
export function clockDifference(
  { from, to }: { from: number; to: number },
  told: number,
  stepMs: number,
): number {
  const least = from - told - stepMs;
  const most = to - told;
  if (least > 0) return least;
  return most < 0 ? most : 0;
}

/** What is wrong with our clock, if it differs by so much. */
export function clockTrouble(differenceMs: number, from: string): Finding[] {
  const ms = Math.abs(differenceMs);
  if (ms <= warnBeyondMs) return [];
  const trouble = {
    what: `Our clock is ${inWords(ms)} ${differenceMs > 0 ? "ahead of" : "behind"} ${from}.`,
    why: "Quotes, the bank's cut-off times and signatures of webhooks depend on it: money may move too early or too late.",
    fix: "Let the machine set its clock by itself, for example with chrony or systemd-timesyncd.",
  };
  return [ms > brokenBeyondMs ? broken(trouble) : warning(trouble)];
}

/** Nothing when no answer comes, or one that was stored somewhere on the way. */
async function differenceFrom(
  origin: string,
  clock: Clock,
  ask: typeof fetch,
): Promise<number | undefined> {
  try {
    const from = clock.now();
    const signal = AbortSignal.timeout(answerMs);
    const { headers } = await ask(origin, { method: "HEAD", redirect: "manual", signal });
    const to = clock.now();
    const told = Date.parse(headers.get("date") ?? "");
    if (Number.isNaN(told) || headers.has("age")) return undefined;
    return clockDifference({ from, to }, told, 1_000);
  } catch {
    return undefined;
  }
}
