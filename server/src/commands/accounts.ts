import { type Command, InvalidArgumentError } from "commander";
import { Value } from "typebox/value";
import { ourselves } from "../accounts/audit.ts";
import { Email, emailRule, nameRule, PersonName } from "../accounts/person.ts";
import {
  findUser,
  findUserByEmail,
  insertUser,
  listMasters,
  type Verification,
  verifications,
} from "../accounts/store/users.ts";
import { decideVerification } from "../accounts/verification.ts";
import { systemClock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { newId } from "../lib/ids.ts";
import { systemRandom } from "../lib/random.ts";
import { tellAboutAccounts } from "../ramp/events/tell.ts";
import { helpEnd, print, printJson, printTable, withInstallation } from "./context.ts";

const clock = systemClock;

export function addAccountsCommand(program: Command): void {
  const accounts = program
    .command("accounts")
    .description("Create, list and verify master accounts.");
  accounts
    .command("create")
    .description("Make a master account. Give it a key with `slipway keys issue`.")
    .requiredOption("--name <name>", "first and last name", readName)
    .requiredOption("--email <address>", "e-mail address", readEmail)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      helpEnd(['slipway accounts create --name "Ada Lovelace" --email ada@example.com']),
    )
    .action(({ name, email, json }) =>
      withInstallation(async ({ db }) => {
        const id = newId("usr", systemRandom);
        const user = { id, masterId: null, name, email, verification: "none" as const };
        if ((await insertUser(db, { ...user, now: new Date(clock.now()) })) === "email_taken") {
          throw new OperatorError(
            `${email} belongs to ${(await findUserByEmail(db, null, email))?.id} already.`,
          );
        }
        if (json) printJson({ id });
        else print(id);
      }),
    );
  accounts
    .command("list")
    .description("All master accounts.")
    .option("--json", "print JSON")
    .addHelpText("after", helpEnd(["slipway accounts list"]))
    .action(({ json }) =>
      withInstallation(async ({ db }) => {
        const users = await listMasters(db);
        if (json) printJson(users);
        else
          printTable(
            ["id", "verification", "e-mail", "name"],
            users.map((user) => [user.id, user.verification, user.email, user.name]),
          );
      }),
    );
  accounts
    .command("verify <userId>")
    .description("Set an account's verification, as decided by a person.")
    .option("--status <status>", verifications.join(", "), readVerification, "approved")
    .option("--reason <text>", "why, for the record", "Decided on the command line.")
    .option("--json", "print JSON")
    .addHelpText("after", helpEnd(["slipway accounts verify usr-… --status approved"]))
    .action((userId: string, { status, reason, json }) =>
      withInstallation(async ({ db }) => {
        if (!(await findUser(db, userId)))
          throw new OperatorError(`There is no account ${userId}.`);
        const decidedBy = "command line";
        const at = new Date(clock.now());
        await db.transact((tx) =>
          decideVerification(
            tx,
            { told: tellAboutAccounts(systemRandom) },
            { userId, status, reason, decidedBy, actor: ourselves, at },
          ),
        );
        if (json) printJson({ userId, status });
        else print(`${userId} is ${status}.`);
      }),
    );
}

function readName(text: string): string {
  if (Value.Check(PersonName, text)) return text;
  throw new InvalidArgumentError(`It ${nameRule}.`);
}

function readEmail(text: string): string {
  if (Value.Check(Email, text)) return text;
  throw new InvalidArgumentError(`It ${emailRule}.`);
}

function readVerification(text: string): Verification {
  const status = verifications.find((known) => known === text);
  if (!status) throw new InvalidArgumentError(`It must be one of ${verifications.join(", ")}.`);
  return status;
}
