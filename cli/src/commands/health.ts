import { Slipway } from "@slipway/sdk";
import type { Command } from "commander";

export function addHealthCommand(program: Command): void {
  program
    .command("health")
    .description("Ask a running service how it is. Exits with 1 when it is not ready.")
    .option("--url <url>", "where it listens", "http://127.0.0.1:8080")
    .action(async ({ url }: { url: string }) => {
      const health = await new Slipway({ baseUrl: url }).health().catch(() => undefined);
      process.stdout.write(
        health ? `${JSON.stringify(health, null, 2)}\n` : `Nothing answers at ${url}.\n`,
      );
      process.exitCode = health && health.status !== "unavailable" ? 0 : 1;
    });
}
