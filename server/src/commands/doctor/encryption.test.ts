import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useDatabase } from "../../../test/test-database.ts";
import { temporaryFolder } from "../../../test/test-service.ts";
import { sql } from "../../database/sql.ts";
import { systemRandom as random } from "../../lib/random.ts";
import { openSealer } from "../../lib/seal.ts";
import { encryptionFindings } from "./encryption.ts";

const held = useDatabase(2);
const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const dataFolder = temporaryFolder();

const look = (...keys: Buffer[]) => {
  const encryptionKeys = keys.map((key) => key.toString("base64"));
  const config = keys.length > 0 ? { encryptionKeys, dataFolder } : { dataFolder };
  return encryptionFindings(config, held.db, random);
};

test("keys are made by the first start, and must open what is stored from then on", async () => {
  expect(await look()).toMatchObject([{ state: "ok", what: expect.stringContaining("none yet") }]);
  const sealer = openSealer({ keys: [older], digestKey: newer, random });
  await held.db.query(sql`
    insert into wire_senders (bank_reference, sealed, at)
    values ('one', ${sealer.seal("Ada", "place")}, ${new Date(0)})`);
  expect(await look()).toMatchObject([
    { state: "broken", what: expect.stringContaining("SLIPWAY_ENCRYPTION_KEYS") },
  ]);
  expect(await look(older)).toEqual([{ state: "ok", what: "1 key from SLIPWAY_ENCRYPTION_KEYS" }]);
  expect(await look(newer, older)).toMatchObject([
    { state: "warning", fix: expect.stringContaining("slipway encryption rotate") },
  ]);
  expect(await look(newer)).toMatchObject([
    { state: "broken", what: expect.stringContaining("a key that is not configured") },
  ]);
  writeFileSync(join(dataFolder, "encryption-keys"), `${older.toString("base64")}\n`);
  expect(await look()).toMatchObject([{ state: "ok", what: expect.stringContaining(dataFolder) }]);
});
