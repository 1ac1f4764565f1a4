import { Slipway } from "@slipway/sdk";
import { tools } from "@slipway/server/commands";
import { type Command, Option } from "commander";
import { CommandError, howToReach } from "./errors.ts";
import { paintFor, type Terminal } from "./terminal.ts";

/** Where the service is, and who asks. */
export type ServiceOptions = { url: string; apiKey?: string };

/** A running service, as commands talk to it. */
export type Service = {
  url: string;
  apiKey: string | undefined;
  mode: "sandbox" | "live";
  client: Slipway;
  /** A GET. Waits and asks again when the service says that it is too much, or not ready; whatever else comes back is the answer. */
  ask(path: string, signal?: AbortSignal): Promise<Response>;
};

const waitsMost = 5;
const waitMs = 1_000;

/** Adds the options by which a command finds the service and its key. */
export function withServiceOptions(command: Command): Command {
  const key = new Option("--api-key <key>", "who asks; a sandbox has keys that everybody knows");
  return withUrlOption(command).addOption(key.env("SLIPWAY_API_KEY"));
}

/** The same for a command that needs no key. */
export function withUrlOption(command: Command): Command {
  const url = new Option("--url <url>", "where the service listens");
  return command.addOption(url.env("SLIPWAY_URL").default("http://127.0.0.1:8080"));
}

/** Finds out how the service runs. A sandbox is asked with its own key when there is no other, and that is said. */
export async function openService(
  options: ServiceOptions,
  terminal: Terminal,
  { asOperator = false } = {},
): Promise<Service> {
  const url = options.url.replace(/\/+$/, "");
  const mode = await modeOf(url);
  const apiKey = options.apiKey ?? sandboxKey(mode, asOperator, terminal);
  const client = new Slipway({ baseUrl: url, ...(apiKey === undefined ? {} : { apiKey }) });
  return { url, apiKey, mode, client, ask: asker(url, apiKey, terminal) };
}

/** The error that an answer stands for, in the service's own words. */
export async function errorIn(response: Response): Promise<CommandError> {
  const body: unknown = await response.json().catch(() => undefined);
  const id = response.headers.get("x-request-id");
  const hint = response.status === 401 ? " Give a key with --api-key or SLIPWAY_API_KEY." : "";
  const said = sentencesIn(body).join("\n  ") || response.statusText;
  return new CommandError(`${response.status}: ${said}${hint}${id ? ` (request ${id})` : ""}`);
}

function asker(url: string, apiKey: string | undefined, { clock, errors }: Terminal) {
  const headers = apiKey === undefined ? {} : { apiKey };
  return async (path: string, signal?: AbortSignal): Promise<Response> => {
    const init = { headers, ...(signal ? { signal } : {}) };
    for (let waits = 0; ; waits++) {
      const response = await reach(url + path, init, url);
      const pauseMs = pauseOf(response);
      if (pauseMs === undefined || waits === waitsMost) return response;
      errors.write(`The service asks to wait (${response.status}): ${pauseMs / 1_000} s.\n`);
      await response.body?.cancel();
      await clock.sleep(pauseMs, signal);
    }
  };
}

/** How long to wait before asking again; nothing when that would not help. */
function pauseOf({ status, headers }: Response): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const seconds = Number(headers.get("retry-after"));
  return seconds > 0 ? seconds * 1_000 : waitMs;
}

async function reach(address: string, init: RequestInit, url: string): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (cause) {
    init.signal?.throwIfAborted();
    if (!URL.canParse(address)) throw new CommandError(`${url} is not a URL. ${howToReach}`);
    throw new CommandError(`Nothing answers at ${url}. ${howToReach}`, { cause });
  }
}

async function modeOf(url: string): Promise<"sandbox" | "live"> {
  const response = await reach(`${url}/health/ready`, {}, url);
  const health = (await response.json().catch(() => undefined)) as { mode?: unknown } | undefined;
  if (health?.mode === "sandbox" || health?.mode === "live") return health.mode;
  throw new CommandError(`What answers at ${url} is no Slipway. ${howToReach}`);
}

function sandboxKey(
  mode: "sandbox" | "live",
  asOperator: boolean,
  { errors }: Terminal,
): string | undefined {
  if (mode === "live") return undefined;
  const key = asOperator ? tools.sandboxKeys.operator : tools.sandboxKeys.master;
  errors.write(`${paintFor(errors)(`With the sandbox's key ${key}.`, "dim")}\n`);
  return key;
}

/** The sentences of either form of error. */
function sentencesIn(body: unknown): string[] {
  if (typeof body !== "object" || body === null) return [];
  if ("errors" in body && Array.isArray(body.errors)) {
    return body.errors.map((error: { message?: unknown }) => String(error?.message));
  }
  return Object.values(body).filter((value) => typeof value === "string");
}
