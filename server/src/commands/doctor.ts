import type { Command } from "commander";
import { systemClock as clock } from "../lib/clock.ts";
import { messageOf, OperatorError } from "../lib/errors.ts";
import { openLog } from "../lib/log.ts";
import { systemRandom as random } from "../lib/random.ts";
import { helpEnd, ourConfig, print, printJson } from "./context.ts";
import { broken, type Report, runChecks } from "./doctor/check.ts";
import { hideSecrets } from "./doctor/hide-secrets.ts";
import { isWell, jsonOf, textOf } from "./doctor/report.ts";

/** Closing may wait for whoever did not answer; then it is left to the end of the process. */
const closeWithinMs = 5_000;

/** Adds the command that looks at everything the service depends on. */
export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .description("Look at everything that is configured, and say what is wrong and what to do.")
    .option("--json", "print JSON")
    .addHelpText("after", helpEnd(["slipway doctor"]))
    .action(async ({ json }: { json?: boolean }) => {
      const reports = await examineAll();
      if (json) printJson(jsonOf(reports));
      else print(textOf(reports));
      // Whoever did not answer in time may still be waited for somewhere.
      process.exit(isWell(reports) ? 0 : 1);
    });
}

async function examineAll(): Promise<Report[]> {
  let configured: ReturnType<typeof ourConfig>;
  try {
    configured = ourConfig();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return [unusableConfig(error)];
  }
  const { config, lines } = configured;
  const level = ["debug", "trace"].includes(config.logLevel) ? config.logLevel : "silent";
  const log = openLog({ level, pretty: true, write: (line) => void process.stderr.write(line) });
  // Loaded here, so that no other command waits for the whole service to be read.
  const [{ allChecks }, { examineDatabase }] = await Promise.all([
    import("./doctor/all-checks.ts"),
    import("./doctor/database.ts"),
  ]);
  const database = examineDatabase(config, { clock, random, log });
  const checks = allChecks({ config, lines, database, clock, random, log });
  const reports = await runChecks(checks, { clock, progressed: drawProgress });
  const closed = database.then(({ close }) => close());
  await Promise.race([closed, clock.sleep(closeWithinMs)]);
  return hideSecrets(reports, lines);
}

function unusableConfig(error: OperatorError): Report {
  return {
    name: "configuration",
    findings: [
      broken({
        what: messageOf(error),
        why: "The service does not start with it. Nothing else was looked at.",
        fix: "Change what the lines above name, in the file or in the environment.",
      }),
    ],
  };
}

/** One line that is drawn again and again; only for those who look at it. */
function drawProgress(done: number, total: number, waitingFor: readonly string[]): void {
  if (!process.stderr.isTTY) return;
  const names = waitingFor.slice(0, 3).join(", ");
  const text = done < total ? `${done} of ${total}; waiting for ${names}` : "";
  process.stderr.write(`\r\x1b[K${text}`);
}
