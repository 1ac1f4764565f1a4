import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";
import type { Random } from "./lib/random.ts";

type Where = Pick<Config, "encryptionKeys" | "dataFolder">;

const fileName = "encryption-keys";

/**
 * The keys that sensitive fields are encrypted with, newest first: those that are configured, or those in the data
 * folder, where the first start makes one.
 */
export function readEncryptionKeys(
  { encryptionKeys, dataFolder }: Where,
  random: Random,
): Buffer[] {
  const texts = encryptionKeys ?? ownKeys(dataFolder, random);
  return texts.map((text) => Buffer.from(text, "base64"));
}

/** Puts a new key before those in the data folder. Whoever is running goes on with the old ones until it is started anew. */
export function addEncryptionKey(dataFolder: string, random: Random): void {
  const keys = ownKeys(dataFolder, random);
  writeKeys(dataFolder, [newKey(random), ...keys]);
}

function ownKeys(dataFolder: string, random: Random): string[] {
  const file = join(dataFolder, fileName);
  if (!existsSync(file)) writeKeys(dataFolder, [newKey(random)]);
  return readFileSync(file, "utf8").trim().split("\n");
}

const newKey = (random: Random) => random.bytes(32).toString("base64");

/** As a whole or not at all: half a key file would make every bank account unreadable. */
function writeKeys(dataFolder: string, keys: readonly string[]): void {
  mkdirSync(dataFolder, { recursive: true });
  const file = join(dataFolder, fileName);
  writeFileSync(`${file}.new`, `${keys.join("\n")}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}
