import { personaSettingsOf } from "../../accounts/verifiers/persona.ts";
import type { PersonaSettings } from "../../accounts/verifiers/persona-client.ts";
import { openBus } from "../../bus/open-bus.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { askJson } from "../../lib/outgoing/ask-json.ts";
import type { RailSettings } from "../../ramp/rails/rail-settings.ts";
import { watchmanScreening } from "../../ramp/rails/screening/watchman.ts";
import { broken, type Finding, ok, type Trouble, warning } from "./check.ts";

const timeoutMs = 15_000;
const answerBytesMost = 4 * 2 ** 20;
/** Somebody of whom no list has heard. */
const nobody = "Slipway Doctor";

/** Whether Watchman answers from lists that are fresh. */
export async function screeningFindings(
  url: string,
  { minMatch }: Pick<RailSettings["screening"], "minMatch">,
  clock: Clock,
): Promise<Finding[]> {
  try {
    const verdict = await watchmanScreening({ url, minMatch, clock }).person(nobody);
    if (verdict === "clear") return [ok(`Watchman at ${new URL(url).host} has fresh lists`)];
    return [
      warning({
        what: `Watchman finds the name "${nobody}" on a list.`,
        why: "Names that nobody has are taken for somebody's, so honest customers are held up.",
        fix: "Raise ramp.rails.screening.minMatch.",
      }),
    ];
  } catch (error) {
    return [
      broken({
        what: messageOf(error),
        why: "Without its word nobody is let through: every transaction waits for it.",
        fix: "Check ramp.rails.screening.watchmanUrl, that the server runs, and that it can fetch its lists.",
      }),
    ];
  }
}

/** Whether Persona knows our key. Nothing is found when nobody is to be verified there. */
export async function verificationFindings(
  settings: RailSettings["verification"],
): Promise<Finding[]> {
  const why = "Nobody can be verified, so nobody new can buy or sell.";
  const fix = "Check SLIPWAY_PERSONA_KEY and the other settings in ramp.rails.verification.";
  try {
    const persona = personaSettingsOf(settings);
    if (!persona) return [];
    return [personaFinding(new URL(persona.url).host, await askPersona(persona), { why, fix })];
  } catch (error) {
    return [broken({ what: messageOf(error), why, fix })];
  }
}

/** The status of the answer. No more is asked for than the newest inquiry. */
async function askPersona({ url, key }: PersonaSettings): Promise<number> {
  const { status } = await askJson({
    url: `${url.replace(/\/+$/, "")}/inquiries?page%5Bsize%5D=1`,
    headers: { authorization: `Bearer ${key}`, "persona-version": "2023-01-05" },
    ...{ timeoutMs, answerBytesMost },
  });
  return status;
}

function personaFinding(host: string, status: number, more: Omit<Trouble, "what">): Finding {
  if (status === 200) return ok(`Persona at ${host} takes our key`);
  if (status === 403) {
    return warning({
      what: `Persona at ${host} does not let our key see inquiries (403).`,
      why: "If it may not create any either, nobody can be verified.",
      fix: "Look at the key's permissions in Persona's dashboard.",
    });
  }
  const what = status === 401 ? "does not take our key" : `answers ${status}`;
  return broken({ what: `Persona at ${host} ${what}.`, ...more });
}

/** Whether the bus between machines can be reached. */
export async function busFindings(natsUrl: string, log: Log): Promise<Finding[]> {
  try {
    const bus = await openBus(natsUrl, log);
    await bus.close();
    return [ok("NATS answers")];
  } catch (error) {
    return [
      broken({
        what: messageOf(error),
        why: "The roles hear nothing of each other, and the service does not start.",
        fix: "Check NATS_URL and that the server runs.",
      }),
    ];
  }
}
