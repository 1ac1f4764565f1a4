import type { Command } from "commander";
import { verifyAudit } from "../accounts/audit.ts";
import { OperatorError } from "../lib/errors.ts";
import { helpEnd, print, printJson, withInstallation } from "./context.ts";

/** Adds the command that checks the audit log. */
export function addAuditCommand(program: Command): void {
  program
    .command("audit")
    .description("Check the log of who did what.")
    .command("verify")
    .description("Check that no line of the audit log was changed or taken out.")
    .option("--json", "print JSON")
    .addHelpText("after", helpEnd(["slipway audit verify"]))
    .action(({ json }) =>
      withInstallation(async ({ db }) => {
        const { ok, checked, brokenAt } = await verifyAudit(db);
        if (json) printJson({ ok, checked, brokenAt });
        if (!ok) {
          throw new OperatorError(
            `The audit log was changed: line ${brokenAt} is not as it was written. ` +
              `The ${checked} before it are.`,
          );
        }
        if (!json) print(`The audit log is as it was written. Lines checked: ${checked}`);
      }),
    );
}
