import type { Clock } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import type { Log as Logger } from "../lib/log.ts";
import type { Endpoint } from "./endpoint.ts";

/** An answer, and who gave it. */
export type Sourced<Value> = { value: Value; endpoint: Endpoint };

type AgreementOptions<Value> = {
  /** How many equal answers make a belief. */
  agreeing: number;
  /** How many endpoints are worth asking. */
  usable(): number;
  /** Asks once more, those in `avoid` only when there is nobody else. */
  ask(avoid: ReadonlySet<Endpoint>): Promise<Sourced<Value>>;
  isSame(a: Value, b: Value): boolean;
  /** What is asked, for the log. */
  what: string;
  /** Waits before everybody is asked again, for the `round`th time. */
  pause(round: number): Promise<void>;
  giveUpMs: number;
  clock: Clock;
  log: Logger;
};

/** An answer, how often it was given, and by whom. */
type Version<Value> = { value: Value; answers: number; by: Set<Endpoint> };

/** Different answers that are kept to be compared with the next ones. */
const versionsMost = 4;

/** Asks until enough endpoints say the same, or, where there are too few of them, one says it often enough. */
export async function agreedAnswer<Value>(
  options: AgreementOptions<Value>,
): Promise<Sourced<Value>> {
  const { agreeing, usable, ask, pause, giveUpMs, clock } = options;
  const deadline = clock.now() + giveUpMs;
  const asked = new Set<Endpoint>();
  let versions: readonly Version<Value>[] = [];
  for (let round = 0; ; ) {
    const answer = await ask(asked);
    const [version, ...others] = withAnswer(versions, answer, options);
    const votes = usable() >= agreeing ? version.by.size : version.answers;
    if (votes >= agreeing) return answer;
    if (clock.now() >= deadline) throw disagreement(options.what, [version, ...others]);
    versions = [version, ...others];
    const isNewRound = asked.has(answer.endpoint);
    if (isNewRound) asked.clear();
    asked.add(answer.endpoint);
    if (isNewRound && others.length > 0) await pause(round++);
  }
}

/** Adds an answer to those there are. The version it belongs to comes first. */
function withAnswer<Value>(
  versions: readonly Version<Value>[],
  { value, endpoint }: Sourced<Value>,
  { isSame, what, log }: AgreementOptions<Value>,
): [Version<Value>, ...Version<Value>[]] {
  const same = versions.find((version) => isSame(version.value, value));
  const others = versions.filter((version) => version !== same).slice(0, versionsMost - 1);
  const by = new Set(same?.by).add(endpoint);
  if (!same && others.length > 0) log.warn({ what, host: endpoint.host }, "nodes disagree");
  return [{ value, answers: (same?.answers ?? 0) + 1, by }, ...others];
}

function disagreement(what: string, versions: readonly Version<unknown>[]): UnavailableError {
  const sides = versions.map(({ by }) => [...by].map(({ host }) => host).join(" and "));
  return new UnavailableError(`Nodes do not agree on ${what}: ${sides.join(" against ")}.`);
}
