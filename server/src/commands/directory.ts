import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { systemClock as clock } from "../lib/clock.ts";
import { messageOf, OperatorError } from "../lib/errors.ts";
import { timestamp } from "../lib/timestamp.ts";
import { isFreshOn } from "../ramp/banking/directory.ts";
import { importDirectory } from "../ramp/banking/import-directory.ts";
import {
  type DirectoryImport,
  type DirectoryKind,
  listImports,
} from "../ramp/store/routing-directory.ts";
import { helpEnd, print, printJson, printTable, withInstallation } from "./context.ts";

export function addDirectoryCommand(program: Command): void {
  const directory = program
    .command("directory")
    .description("Banks by routing number, from the Federal Reserve's FedACH and Fedwire files.");
  directory
    .command("import <file>")
    .description("Take over a directory file, as text or JSON, in the place of the one before.")
    .requiredOption("--kind <kind>", "ach (FedACH) or wire (Fedwire)", readKind)
    .option("--published <date>", "when it was published, such as 2026-11-14; today", readDate)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      helpEnd(["slipway directory import FedACHdir.txt --kind ach --published 2026-11-14"]),
    )
    .action((file: string, { kind, published, json }) =>
      withInstallation(async ({ db }) => {
        const publishedOn = published ?? today();
        const source = { kind, text: readText(file), publishedOn };
        const { banks, accounts } = await importDirectory({ db, clock }, source);
        if (json) printJson({ banks, accounts });
        else
          print(
            `${banks.toLocaleString("en")} banks; ${accounts.toLocaleString("en")} registered accounts got another name or address of their bank.`,
          );
      }),
    );
  directory
    .command("status")
    .description("Which directories there are, and how old they are.")
    .option("--json", "print JSON")
    .addHelpText("after", helpEnd(["slipway directory status"]))
    .action(({ json }) =>
      withInstallation(async ({ db }) => {
        const rows = (await listImports(db)).map(shownImport);
        if (json) printJson(rows);
        else if (rows.length === 0)
          print("No directory was imported: a few dozen well-known banks are known by name.");
        else
          printTable(
            ["kind", "banks", "published", "state", "imported"],
            rows.map((row) => [
              row.kind,
              String(row.banks),
              row.publishedOn,
              row.state,
              row.importedAt,
            ]),
          );
      }),
    );
}

function shownImport({ kind, publishedOn, importedAt, rowCount }: DirectoryImport) {
  return {
    kind,
    banks: rowCount,
    publishedOn,
    // What an old directory does not know may be new, and is let through.
    state: isFreshOn(publishedOn, new Date(clock.now())) ? "fresh" : "too old to refuse a number",
    importedAt: timestamp(importedAt),
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new OperatorError(`${file} cannot be read: ${messageOf(cause)}.`, { cause });
  }
}

function today(): string {
  return timestamp(new Date(clock.now())).slice(0, "2026-11-14".length);
}

function readKind(text: string): DirectoryKind {
  if (text === "ach" || text === "wire") return text;
  throw new InvalidArgumentError("It must be ach or wire.");
}

function readDate(text: string): string {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  if (isDate) return text;
  throw new InvalidArgumentError("It must be a date such as 2026-11-14.");
}
