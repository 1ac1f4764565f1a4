import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";

/** Something that is not as it should be: what it is, why it matters, and what to do about it. */
export type Trouble = { what: string; why: string; fix: string };

/** One thing that was looked at. */
export type Finding = { state: "ok"; what: string } | ({ state: "warning" | "broken" } & Trouble);

/** One part of the installation that can be looked at. Nothing found means that there is no such part. */
export type Check = {
  name: string;
  /** It is looked at only after this, and its time counts from then. */
  after?: Promise<unknown>;
  /** How long looking may take. */
  limitMs?: number;
  look(): Promise<readonly Finding[]>;
};

/** What came of a check. */
export type Report = { name: string; findings: readonly Finding[] };

const limitUsuallyMs = 20_000;

/** Everything is as it should be. */
export const ok = (what: string): Finding => ({ state: "ok", what });

/** It works, but somebody should know. */
export const warning = (trouble: Trouble): Finding => ({ state: "warning", ...trouble });

/** It does not work, or money is at risk. */
export const broken = (trouble: Trouble): Finding => ({ state: "broken", ...trouble });

/** Broken when it must be there, and a warning when it can be done without. */
export const brokenIf = (isNeeded: boolean, trouble: Trouble): Finding =>
  isNeeded ? broken(trouble) : warning(trouble);

type RunOptions = {
  clock: Pick<Clock, "sleep">;
  /** Hears how far it is, and who is still waited for. */
  progressed(done: number, total: number, waitingFor: readonly string[]): void;
};

/** Runs all checks at the same time. The reports come in the order of the checks, whichever is done first. */
export function runChecks(
  checks: readonly Check[],
  { clock, progressed }: RunOptions,
): Promise<Report[]> {
  const waitingFor = new Set(checks);
  const tell = () =>
    progressed(
      checks.length - waitingFor.size,
      checks.length,
      [...waitingFor].map(({ name }) => name),
    );
  tell();
  return Promise.all(
    checks.map(async (check) => {
      await check.after;
      const findings = await lookInTime(check, clock);
      waitingFor.delete(check);
      tell();
      return { name: check.name, findings };
    }),
  );
}

/** What a check finds, or why it found nothing out. It never throws and never takes longer than it may. */
async function lookInTime(
  { name, limitMs = limitUsuallyMs, look }: Check,
  clock: Pick<Clock, "sleep">,
): Promise<readonly Finding[]> {
  const isOver = new AbortController();
  const late = clock.sleep(limitMs, isOver.signal).then(() => [tooSlow(limitMs)]);
  try {
    return await Promise.race([look(), late]);
  } catch (error) {
    return [
      broken({
        what: messageOf(error),
        why: `Nobody can say whether this works: ${name}.`,
        fix: "Put right what it says, and run `slipway doctor` again.",
      }),
    ];
  } finally {
    isOver.abort();
  }
}

/** What there is to say about something that does not answer. */
export function tooSlow(limitMs: number): Finding {
  return broken({
    what: `It took longer than ${limitMs / 1_000} seconds to look at this.`,
    why: "What does not answer in time does not work for the service either.",
    fix: "Look whether it is reachable from this machine (name, port, firewall), then run `slipway doctor` again.",
  });
}
