import type { Command } from "commander";
import { addEncryptionKey } from "../encryption-keys.ts";
import { sealerOf } from "../installation.ts";
import { systemClock as clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { systemRandom as random } from "../lib/random.ts";
import { rewrapAll } from "../ramp/rotate-keys.ts";
import { helpEnd, ourConfig, print, printJson, withInstallation } from "./context.ts";
import { progressBar } from "./progress-bar.ts";

export function addEncryptionCommand(program: Command): void {
  const encryption = program
    .command("encryption")
    .description("Change the key that sensitive fields are encrypted with.");
  encryption
    .command("add-key")
    .description("Put a new key before those in the data folder. The next start encrypts with it.")
    .addHelpText("after", helpEnd(["slipway encryption add-key"]))
    .action(() => {
      const { config } = ourConfig();
      if (config.encryptionKeys) {
        throw new OperatorError(
          "The keys are configured: put a new one before the others in SLIPWAY_ENCRYPTION_KEYS.",
        );
      }
      addEncryptionKey(config.dataFolder, random);
      print("There is a new key. Restart the service, then run `slipway encryption rotate`.");
    });
  encryption
    .command("rotate")
    .description("Put everything under the newest key. The service must have been started with it.")
    .option("--json", "print JSON")
    .addHelpText("after", helpEnd(["slipway encryption rotate"]))
    .action(({ json }) =>
      withInstallation(async ({ db, sealing }) => {
        const bar = progressBar("encrypted values", process.stderr, clock);
        const sealer = sealerOf(sealing);
        const { rewrapped } = await rewrapAll({ db, sealer, progressed: bar.show });
        bar.end();
        if (json) printJson({ rewrapped });
        else
          print(
            `${rewrapped.toLocaleString("en")} values were put under the newest key. Older ones are not needed any more.`,
          );
      }),
    );
}
