import type { Clock } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import type { Log as Logger } from "../lib/log.ts";
import type { Endpoint } from "./endpoint.ts";

/** An answer, and who gave it. */
export type Sourced<Value> = { value: Value; endpoint: Endpoint };

type AgreementOptions<Value> = {
  /** How many equal answers make a belief. */
  agreeing: number;
  endpoints: number;
  /** Asks once more, those in `avoid` only when there is nobody else. */
  ask(avoid: ReadonlySet<Endpoint>): Promise<Sourced<Value>>;
  isSame(a: Value, b: Value): boolean;
  /** What is asked, for the log. */
  what: Record<string, unknown>;
  giveUpMs: number;
  clock: Clock;
  log: Logger;
};

/** Different answers that are kept to be compared with the next ones. */
const versionsMost = 4;

/** Asks until enough answers are equal: different endpoints first, the same again when there are too few. */
export async function agreedAnswer<Value>(
  options: AgreementOptions<Value>,
): Promise<Sourced<Value>> {
  const { agreeing, endpoints, ask, isSame, what, giveUpMs, clock, log } = options;
  const deadline = clock.now() + giveUpMs;
  const versions: (Sourced<Value> & { votes: number })[] = [];
  const asked = new Set<Endpoint>();
  for (;;) {
    const answer = await ask(asked);
    const version = versions.find(({ value }) => isSame(value, answer.value));
    const votes = (version?.votes ?? 0) + 1;
    if (votes >= agreeing) return answer;
    if (version) version.votes = votes;
    else versions.push({ ...answer, votes });
    if (!version && versions.length > 1)
      log.warn({ ...what, hosts: versions.map(({ endpoint }) => endpoint.host) }, "nodes disagree");
    if (versions.length > versionsMost) versions.shift();
    asked.add(answer.endpoint);
    if (asked.size >= endpoints) asked.clear();
    if (clock.now() >= deadline) throw new UnavailableError("The nodes do not agree on the logs.");
  }
}
