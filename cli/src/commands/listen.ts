import type { RampEvent } from "@slipway/sdk";
import { tools } from "@slipway/server/commands";
import type { Command } from "commander";
import { openService, type ServiceOptions, withServiceOptions } from "../asked-service.ts";
import { UsageError } from "../errors.ts";
import { readWholeNumber } from "../options.ts";
import { rampEvents } from "../ramp-events.ts";
import { paintFor, type Terminal } from "../terminal.ts";

type ListenOptions = ServiceOptions & {
  forwardTo?: string;
  types?: string[];
  since?: number;
  secret?: string;
  count?: number;
  json?: boolean;
};

const forwardWithinMs = 15_000;

/** Adds the command that hands the ramp's events to a program on this machine. */
export function addListenCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command("listen")
    .description("Forward the account's ramp events to a receiver of yours, signed like webhooks.")
    .option("--forward-to <url>", "where each event is sent to; left out, events are only shown")
    .option("--types <list>", "only these: ramp.transaction.*,ramp.wallet.created", readTypes)
    .option("--since <sequence>", "begin after the event with this number", readWholeNumber)
    .option("--secret <secret>", "sign with this, whsec_…; left out, one is made and shown")
    .option("--count <number>", "end after so many events", readWholeNumber)
    .option("--json", "print each event and what came of it as a line of JSON");
  withServiceOptions(command)
    .addHelpText(
      "after",
      tools.helpEnd(
        ["slipway listen --forward-to http://localhost:3000/hook --types 'ramp.transaction.*'"],
        "Events are numbered and read one after the other, so none is missed, whatever breaks in between. Each is sent\n" +
          "once: what your receiver refuses can be had again with --since. End with Ctrl-C.",
      ),
    )
    .action((options: ListenOptions) => listen(options, terminal));
}

async function listen(options: ListenOptions, terminal: Terminal): Promise<void> {
  const { since, types } = options;
  const forward = forwarderFor(options, terminal);
  const service = await openService(options, terminal);
  const stopped = terminal.stopped();
  terminal.errors.write("Waiting for events. End with Ctrl-C.\n");
  let left = options.count ?? Number.POSITIVE_INFINITY;
  for await (const event of rampEvents(service, since, terminal, stopped)) {
    if (!isWanted(event, types)) continue;
    const outcome = await forward(event);
    terminal.out.write(
      `${options.json ? JSON.stringify({ event, outcome }) : lineFor(event, outcome, terminal)}\n`,
    );
    if (--left <= 0) return;
  }
}

type Outcome = { ok: boolean; status: number | null; error: string | null; ms: number };
type Forward = (event: RampEvent) => Promise<Outcome | null>;

/** Says what events are signed with, and returns what sends them. */
function forwarderFor({ forwardTo, secret: given }: ListenOptions, terminal: Terminal): Forward {
  if (forwardTo === undefined) return async () => null;
  if (!URL.canParse(forwardTo) || !/^https?:$/.test(new URL(forwardTo).protocol)) {
    throw new UsageError("--forward-to must be a URL such as http://localhost:3000/hook.");
  }
  const secret = given ?? tools.newSecret(terminal.random);
  if (!/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)) {
    throw new UsageError("--secret must be whsec_ and at least 24 bytes in base64.");
  }
  const shown = paintFor(terminal.errors)(secret, "bold");
  terminal.errors.write(`Verify with the secret ${shown}\n`);
  return (event) => send(event, forwardTo, secret, terminal);
}

async function send(
  event: RampEvent,
  url: string,
  secret: string,
  { clock }: Terminal,
): Promise<Outcome> {
  const body = JSON.stringify(event);
  const startedAt = clock.now();
  const headers = {
    ...tools.signedHeaders(event.id, startedAt, body, [secret]),
    "content-type": "application/json",
    "user-agent": "Slipway-Webhooks",
  };
  const init = { method: "POST", headers, body, redirect: "manual" } as const;
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(forwardWithinMs) });
    await response.body?.cancel();
    const { ok, status } = response;
    return { ok, status, error: null, ms: clock.now() - startedAt };
  } catch (error) {
    return { ok: false, status: null, error: reasonOf(error), ms: clock.now() - startedAt };
  }
}

function lineFor(event: RampEvent, outcome: Outcome | null, { out }: Terminal): string {
  const { createdAt, sequence, type } = event;
  const line = `${createdAt}  ${String(sequence).padStart(4)}  ${type}  ${idIn(event)}`;
  if (!outcome) return line;
  const { ok, status, error, ms } = outcome;
  const words = `${status ?? `no answer: ${error}`} in ${ms} ms`;
  return `${line}  ${paintFor(out)(words, ok ? "green" : "red")}`;
}

/** Whom or what an event is about. */
function idIn({ data: { object } }: RampEvent): string {
  if (typeof object !== "object" || object === null) return "";
  if ("id" in object) return String(object.id);
  return "userId" in object ? String(object.userId) : "";
}

function isWanted({ type }: RampEvent, types: readonly string[] | undefined): boolean {
  if (!types) return true;
  return types.some((way) =>
    way.endsWith("*") ? type.startsWith(way.slice(0, -1)) : type === way,
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}

function readTypes(text: string): string[] {
  return text.split(",").map((type) => type.trim());
}
