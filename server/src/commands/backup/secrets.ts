import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashKey } from "../../accounts/api-key.ts";
import type { Config } from "../../config.ts";
import { OperatorError } from "../../lib/errors.ts";

/** What the rows are useless without, and what is not in the database. */
export type Secrets = {
  secret: string;
  /** In base64, newest first. */
  encryptionKeys: string[];
};

/** Enough to recognise secrets, not enough to find them. */
export type SecretChecks = { secret: string; encryptionKeys: string[] };

type Where = Pick<Config, "secret" | "encryptionKeys" | "dataFolder">;

/** What secrets are recognised by. */
export function checksOf({ secret, encryptionKeys }: Secrets): SecretChecks {
  return {
    secret: hashKey("installation", secret).toString("hex"),
    encryptionKeys: encryptionKeys.map(checkOfKey),
  };
}

/**
 * Puts the secrets of a backup where the service looks for them, as far as they are not there and the backup has them.
 * Refuses to go on without them. Returns what takes them away again.
 */
export function placeSecrets(
  where: Where,
  { checks, secrets }: { checks: SecretChecks; secrets: Secrets | null },
  options: { despiteMissingKeys: boolean },
): () => void {
  const files = filesIn(where.dataFolder);
  const here = secretsHere(where);
  const secret = here.secret ?? secrets?.secret;
  const keys = here.encryptionKeys ?? secrets?.encryptionKeys ?? [];
  if (secret === undefined || hashKey("installation", secret).toString("hex") !== checks.secret) {
    throw new OperatorError(
      `${secret === undefined ? "The secret of the backup is not here" : "The secret here is another one than the backup's"}: ` +
        `its API keys would not work. Put the file \`secret\` of that installation at ${files.secret}, or set ` +
        "SLIPWAY_SECRET to what it was there.",
    );
  }
  const missing = missingKeys(checks, keys);
  if (missing > 0 && !options.despiteMissingKeys) {
    throw new OperatorError(
      `${missing} of the backup's ${checks.encryptionKeys.length} encryption keys are not here: nobody could read its ` +
        `bank accounts. Put the file \`encryption-keys\` of that installation at ${files.encryptionKeys}, or set ` +
        "SLIPWAY_ENCRYPTION_KEYS to what it was there. If they are lost, --despite-missing-keys restores the rest.",
    );
  }
  const written: string[] = [];
  const write = (file: string, text: string) => {
    mkdirSync(where.dataFolder, { recursive: true });
    writeFileSync(file, text, { mode: 0o600, flag: "wx", flush: true });
    written.push(file);
  };
  if (here.secret === undefined) write(files.secret, secret);
  if (here.encryptionKeys === undefined && keys.length > 0) {
    write(files.encryptionKeys, `${keys.join("\n")}\n`);
  }
  return () => {
    for (const file of written) rmSync(file, { force: true });
  };
}

/** Where the data folder keeps them. */
function filesIn(dataFolder: string): { secret: string; encryptionKeys: string } {
  return {
    secret: join(dataFolder, "secret"),
    encryptionKeys: join(dataFolder, "encryption-keys"),
  };
}

function secretsHere({ secret, encryptionKeys, dataFolder }: Where): Partial<Secrets> {
  const files = filesIn(dataFolder);
  const ownSecret = secret ?? textOf(files.secret);
  const ownKeys = encryptionKeys ?? textOf(files.encryptionKeys)?.trim().split("\n");
  return {
    ...(ownSecret === undefined ? {} : { secret: ownSecret }),
    ...(ownKeys === undefined ? {} : { encryptionKeys: [...ownKeys] }),
  };
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function missingKeys({ encryptionKeys }: SecretChecks, keys: readonly string[]): number {
  const here = new Set(keys.map(checkOfKey));
  return encryptionKeys.filter((check) => !here.has(check)).length;
}

function checkOfKey(key: string): string {
  const bytes = Buffer.from(key, "base64");
  return createHash("sha256").update("encryption key").update(bytes).digest("hex").slice(0, 16);
}
