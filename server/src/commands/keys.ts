import { type Command, InvalidArgumentError, Option } from "commander";
import { customerScopes, scopes } from "../accounts/api-key.ts";
import { endKey, issueKey, rotateKey } from "../accounts/keys.ts";
import { listKeys, type StoredKey } from "../accounts/store/keys.ts";
import { systemClock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { systemRandom } from "../lib/random.ts";
import { didYouMean } from "../lib/suggest.ts";
import { timestamp } from "../lib/timestamp.ts";
import { helpEnd, print, printJson, printTable, withInstallation } from "./context.ts";

const clock = systemClock;
const random = systemRandom;

export function addKeysCommand(program: Command): void {
  const keys = program.command("keys").description("Issue, list, rotate and revoke API keys.");
  keys
    .command("issue")
    .description("Make a key. It is shown once.")
    .requiredOption("--user <id>", "the account the key belongs to, usr-…")
    .option("--label <text>", "what the key is for", "")
    .option("--scopes <list>", `comma-separated, from: ${scopes.join(", ")}`, readScopes, [
      ...customerScopes,
    ])
    .option("--expires <duration>", "30m, 12h or 90d from now; never when left out", readDuration)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      helpEnd(["slipway keys issue --user usr-… --label production --expires 90d"]),
    )
    .action(({ user, label, scopes: chosen, expires, json }) =>
      withInstallation(async ({ db, secret }, { mode }) => {
        const expiresAt = expires === undefined ? null : new Date(clock.now() + expires);
        const context = { db, mode, secret, clock, random };
        showIssued(
          await issueKey(context, { userId: user, label, scopes: chosen, expiresAt }),
          json,
        );
      }),
    );
  keys
    .command("list")
    .description("All keys, or those of one account.")
    .option("--user <id>", "only the keys of this account")
    .option("--json", "print JSON")
    .addHelpText("after", helpEnd(["slipway keys list --user usr-…"]))
    .action(({ user, json }) =>
      withInstallation(async ({ db }) => {
        const rows = (await listKeys(db, user ?? null)).map(shownKey);
        if (json) printJson(rows);
        else
          printTable(
            ["id", "account", "state", "last used", "label"],
            rows.map((row) => [
              row.id,
              row.userId,
              row.state,
              row.lastUsedAt ?? "never",
              row.label,
            ]),
          );
      }),
    );
  keys
    .command("rotate <keyId>")
    .description("Make a successor with the same rights; the old key goes on working for a while.")
    .addOption(
      new Option("--overlap <duration>", "how long the old key goes on working")
        .argParser(readDuration)
        .default(24 * 3_600_000, "24h"),
    )
    .option("--json", "print JSON")
    .addHelpText("after", helpEnd(["slipway keys rotate live_… --overlap 24h"]))
    .action((keyId: string, { overlap, json }) =>
      withInstallation(async ({ db, secret }, { mode }) => {
        showIssued(await rotateKey({ db, mode, secret, clock, random }, keyId, overlap), json);
      }),
    );
  keys
    .command("revoke <keyId>")
    .description("End a key at once, everywhere.")
    .option("--json", "print JSON")
    .addHelpText("after", helpEnd(["slipway keys revoke live_…"]))
    .action((keyId: string, { json }) =>
      withInstallation(async ({ db }) => {
        if (!(await endKey({ db, clock }, keyId))) {
          throw new OperatorError(
            `There is no key ${keyId} that still works. \`slipway keys list\` shows them.`,
          );
        }
        if (json) printJson({ id: keyId, state: "revoked" });
        else print(`${keyId} is revoked.`);
      }),
    );
}

function showIssued({ id, key }: { id: string; key: string }, json: boolean | undefined): void {
  if (json) printJson({ id, key });
  else print(`${key}\n\nThis is key ${id}. Keep it now: it is not shown again.`);
}

function shownKey({
  id,
  userId,
  label,
  scopes: allowed,
  createdAt,
  lastUsedAt,
  expiresAt,
  revokedAt,
}: StoredKey) {
  const state = revokedAt ? "revoked" : expiresAt ? `until ${timestamp(expiresAt)}` : "active";
  return {
    id,
    userId,
    label,
    state,
    scopes: allowed,
    createdAt: timestamp(createdAt),
    lastUsedAt: lastUsedAt && timestamp(lastUsedAt),
  };
}

function readScopes(text: string): string[] {
  const chosen = text.split(",").map((scope) => scope.trim());
  const unknown = chosen.find((scope) => !scopes.some((known) => known === scope));
  if (unknown === undefined) return chosen;
  throw new InvalidArgumentError(`"${unknown}" is not a scope.${didYouMean(unknown, scopes)}`);
}

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function readDuration(text: string): number {
  const [, count, unit = ""] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (!count) throw new InvalidArgumentError("Give a number and m, h or d, such as 90d.");
  return Number(count) * (unitMs[unit] ?? 0);
}
