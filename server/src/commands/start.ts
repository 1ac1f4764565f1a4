import { type Command, InvalidArgumentError } from "commander";
import type { Config } from "../config.ts";
import { needsSandboxChain } from "../followed-chains.ts";
import { needsSandboxExchange } from "../followed-exchanges.ts";
import { monotonicMs, systemClock } from "../lib/clock.ts";
import { messageOf } from "../lib/errors.ts";
import { type Log, openLog } from "../lib/log.ts";
import type { Service } from "../main.ts";
import { type RoleName, roleNames } from "../roles/roles.ts";
import { sandboxKeyList } from "../sandbox/accounts.ts";
import { version } from "../version.ts";
import { helpEnd, ourConfig, print } from "./context.ts";

const stopWithinMs = 15_000;
const secondSignalMs = 500;

export function addStartCommand(program: Command): void {
  program
    .command("start")
    .description("Run the service until it is told to stop.")
    .option("--role <list>", `which parts to run here, from: ${roleNames.join(", ")}`, readRoles, [
      ...roleNames,
    ])
    .addHelpText("after", helpEnd(["slipway start", "slipway start --role api,ramp"]))
    .action(({ role }: { role: RoleName[] }) => start(role));
}

async function start(roles: readonly RoleName[]): Promise<void> {
  const { config, lines } = ourConfig();
  const isTerminal = process.stderr.isTTY === true;
  const log = openLog({
    level: config.logLevel,
    pretty: isTerminal,
    write: (line) => void process.stderr.write(line),
  });
  const signalled = stopSignal();
  // Loaded here, so that no other command waits for the whole service to be read.
  const { startService } = await import("../main.ts");
  const service = await startService({ config, lines, roles, isTerminal, log });
  print(welcome(service, config));
  const failure = await Promise.race([signalled, service.lost]);
  if (failure) log.fatal(messageOf(failure));
  await stop(service, log);
  process.exit(failure ? 1 : 0);
}

/** Resolves when we are asked to stop, or with the reason why we cannot go on. */
function stopSignal(): Promise<Error | undefined> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined;
    const signalled = () => {
      firstAtMs ??= monotonicMs();
      // A second Ctrl-C means now; PostgreSQL's guard sees us go and stops it. At once it is npm, passing on the first.
      if (monotonicMs() - firstAtMs > secondSignalMs) process.exit(130);
      resolve(undefined);
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, signalled);
    process.on("uncaughtException", resolve);
    process.on("unhandledRejection", (reason) =>
      resolve(new Error(`unhandled: ${messageOf(reason)}`)),
    );
    // Whoever read our output may be gone; the service goes on.
    process.stdout.on("error", () => {});
    process.stderr.on("error", () => {});
  });
}

async function stop(service: Service, log: Log): Promise<void> {
  log.info("stopping: finishing what is in flight");
  const tooLong = systemClock
    .sleep(stopWithinMs)
    .then(() => log.error("stopping took too long; leaving the rest"));
  await Promise.race([service.stop(), tooLong]);
}

function welcome({ url, place }: Service, config: Config): string {
  const isSandbox = config.mode === "sandbox";
  const lines = [
    `Slipway ${version} · ${config.mode} mode${isSandbox ? " (no real money, no real markets)" : ""}`,
    "",
    ...(url ? addressLines(url) : []),
    `  Data      ${place}`,
  ];
  if (url && isSandbox) {
    const width = Math.max(...sandboxKeyList.map(({ key }) => key.length));
    const keys = sandboxKeyList.map(({ key, label }) => `${key.padEnd(width)}   ${label}`);
    lines.push("", `  Keys      ${keys.join("\n            ")}`);
    lines.push(
      "",
      `  Try       curl -H 'apiKey: slp_sandbox_master' ${url}/v2/${firstPath(config)}`,
    );
  }
  if (url && config.portIsDefault && !url.endsWith(`:${config.port}`)) {
    lines.push("", `  Port ${config.port} was taken, so this is another one. Choose with PORT.`);
  }
  return `${lines.join("\n")}\n\n  Stop with Ctrl-C.\n`;
}

/** What is worth a look first. */
function firstPath(config: Config): string {
  if (needsSandboxChain(config)) return "dex/uniswap-v3/ethereum/pools";
  return needsSandboxExchange(config) ? "cex/kraken/BTC-USD/currentprice" : "ramp/blockchains";
}

function addressLines(url: string): string[] {
  return [
    `  API       ${url}`,
    `  Docs      ${url}/docs`,
    `  Console   ${url}/console`,
    `  Health    ${url}/health/ready`,
  ];
}

function readRoles(text: string): RoleName[] {
  return text.split(",").map((name) => {
    const role = roleNames.find((known) => known === name.trim());
    if (!role) throw new InvalidArgumentError(`It must be one or more of ${roleNames.join(", ")}.`);
    return role;
  });
}
