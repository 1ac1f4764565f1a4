import type { RampEvent } from "@slipway/sdk";
import { tools } from "@slipway/server/commands";
import type { Command } from "commander";
import {
  openService,
  type Service,
  type ServiceOptions,
  withServiceOptions,
} from "../asked-service.ts";
import { CommandError, UsageError } from "../errors.ts";
import { type Scene, scenes } from "../sandbox-scenes.ts";
import { paintFor, type Terminal } from "../terminal.ts";

type TriggerOptions = ServiceOptions & { list?: boolean; json?: boolean };

const codeForm = /^R(0[1-9]|[1-7]\d|8[0-5])$/;
const askEveryMs = 200;
const asksMost = 50;

/** Adds the command that makes things happen in the sandbox. */
export function addTriggerCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command("trigger [event] [code]")
    .description("Make an event happen in the sandbox, with everything that has to happen before.")
    .option("--list", "show what can be made to happen")
    .option("--json", "print JSON");
  withServiceOptions(command)
    .addHelpText(
      "after",
      tools.helpEnd(
        [
          "slipway trigger ramp.transaction.completed",
          "slipway trigger ach.return R14",
          "slipway trigger --list",
        ],
        "It uses the API as you would, with a wallet and a bank account of its own, and moves the sandbox's clock on: time\n" +
          "passes for all transactions. There is none of this in live mode.",
      ),
    )
    .action((event: string | undefined, code: string | undefined, options: TriggerOptions) =>
      options.list ? list(options, terminal) : trigger(event, code, options, terminal),
    );
}

function list({ json }: TriggerOptions, { out }: Terminal): void {
  const all = Object.entries(scenes).map(([name, { does, code }]) => ({ name, code, does }));
  if (json) {
    out.write(`${JSON.stringify(all, null, 2)}\n`);
    return;
  }
  const shown = all.map(({ name, code, does }) => ({
    typed: code ? `${name} [${code}]` : name,
    does,
  }));
  const width = Math.max(...shown.map(({ typed }) => typed.length));
  for (const { typed, does } of shown) out.write(`${typed.padEnd(width)}  ${does}\n`);
}

async function trigger(
  name: string | undefined,
  given: string | undefined,
  { json, ...options }: TriggerOptions,
  terminal: Terminal,
): Promise<void> {
  const { scene, code } = chosen(name, given);
  const service = await openService(options, terminal);
  if (service.mode !== "sandbox") {
    throw new CommandError(
      "Nothing is triggered in live mode. Start a sandbox: SLIPWAY_MODE=sandbox.",
    );
  }
  const { out, errors, random } = terminal;
  const paint = paintFor(errors);
  const told = (step: string) => void errors.write(`${paint("·", "dim")} ${step}\n`);
  const type = scene.event ?? name ?? "";
  const { lastSequence } = await service.client.ramp.events({
    after: Number.MAX_SAFE_INTEGER,
    limit: 1,
  });
  const id = await scene.play({ client: service.client, random, told }, code);
  const event = await awaitEvent(service, { type, id, after: lastSequence }, terminal);
  const { sequence, createdAt } = event;
  out.write(json ? `${JSON.stringify(event)}\n` : `${createdAt}  ${sequence}  ${type}  ${id}\n`);
}

/** What was meant, or what could have been. */
function chosen(
  name: string | undefined,
  given: string | undefined,
): { scene: Scene; code: string } {
  const rest = "`slipway trigger --list` shows what there is.";
  if (name === undefined) throw new UsageError(`Say what is to happen. ${rest}`);
  const scene = scenes[name];
  if (!scene) {
    const hint = tools.didYouMean(name, Object.keys(scenes));
    throw new UsageError(`"${name}" cannot be triggered.${hint} ${rest}`);
  }
  const code = given ?? scene.code ?? "";
  if (given !== undefined && scene.code === undefined)
    throw new UsageError(`${name} takes no code.`);
  if (scene.code !== undefined && !codeForm.test(code)) {
    throw new UsageError("The code must be a return code from R01 to R85.");
  }
  return { scene, code };
}

type Wanted = { type: string; id: string; after: number };

/** The event, as soon as it is there. */
async function awaitEvent(
  { client }: Service,
  { type, id, after }: Wanted,
  { clock }: Terminal,
): Promise<RampEvent> {
  for (let asked = 0; asked < asksMost; asked++) {
    for await (const event of client.ramp.events({ after, type })) {
      if (JSON.stringify(event.data.object).includes(`"${id}"`)) return event;
    }
    await clock.sleep(askEveryMs);
  }
  throw new CommandError(
    `${type} did not happen to ${id}. \`slipway get ramp/transactions/${id}/status\` says where it stands.`,
  );
}
