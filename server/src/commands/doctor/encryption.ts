import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import type { Queryable } from "../../database/database.ts";
import { readEncryptionKeys } from "../../encryption-keys.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Random } from "../../lib/random.ts";
import { openSealer, type Sealer } from "../../lib/seal.ts";
import { listSealed, sealedColumns } from "../../ramp/store/sealed-values.ts";
import { broken, type Finding, ok, warning } from "./check.ts";
import { countOf } from "./words.ts";

type EncryptionConfig = Pick<Config, "encryptionKeys" | "dataFolder">;

/** How many values of each kind are tried. */
const triedMost = 20;

/** Whether there are keys, and whether they open what is stored. */
export async function encryptionFindings(
  config: EncryptionConfig,
  db: Queryable,
  random: Random,
): Promise<Finding[]> {
  const file = join(config.dataFolder, "encryption-keys");
  const stored = await storedValues(db);
  if (!config.encryptionKeys && !existsSync(file)) {
    if (stored.length === 0) return [ok("There are none yet: the first start makes one")];
    return [
      broken({
        what: `Something is encrypted, but there is no key: neither SLIPWAY_ENCRYPTION_KEYS nor ${file}.`,
        why: "Bank accounts, wires and webhook secrets cannot be read: no payout can be made.",
        fix: "Bring the key back from where you keep it. A new one opens nothing.",
      }),
    ];
  }
  try {
    const keys = readEncryptionKeys(config, random);
    // Nothing is looked for by its digest here.
    const sealer = openSealer({ keys, digestKey: Buffer.alloc(32), random });
    const older = stored.filter((sealed) => sealer.rewrap(sealed) !== undefined).length;
    return [older > 0 ? underOlderKey() : ok(wellInWords(config, keys.length, file))];
  } catch (error) {
    return [unopened(error)];
  }
}

async function storedValues(db: Queryable): Promise<Parameters<Sealer["rewrap"]>[0][]> {
  const pages = await Promise.all(
    sealedColumns.map((column) => listSealed(db, column, undefined, triedMost)),
  );
  return pages.flat().map(({ sealed }) => sealed);
}

function wellInWords({ encryptionKeys }: EncryptionConfig, count: number, file: string): string {
  const place = encryptionKeys ? "SLIPWAY_ENCRYPTION_KEYS" : `${file}: back it up with the data`;
  return `${countOf(count, "key")} from ${place}`;
}

function underOlderKey(): Finding {
  return warning({
    what: "Some values are still encrypted with an older key.",
    why: "That key must stay until they are not.",
    fix: "When every service was started with the new key, run `slipway encryption rotate`.",
  });
}

function unopened(error: unknown): Finding {
  return broken({
    what: messageOf(error),
    why: "What is stored under a key that is not here cannot be read: payouts to those accounts fail.",
    fix: "Add the key to SLIPWAY_ENCRYPTION_KEYS, after the current one, or bring back the file encryption-keys.",
  });
}
