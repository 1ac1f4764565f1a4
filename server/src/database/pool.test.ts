import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, inject, test } from "vitest";
import { silentLog } from "../../test/silent-log.ts";
import { useDatabase } from "../../test/test-database.ts";
import { temporaryFolder } from "../../test/test-service.ts";
import { systemClock } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import { systemRandom } from "../lib/random.ts";
import type { Address } from "./address.ts";
import { type Database, openDatabase } from "./database.ts";
import { startEmbedded } from "./embedded/embedded.ts";
import { sql } from "./sql.ts";

const held = useDatabase();
const context = { clock: systemClock, random: systemRandom, log: silentLog };
const opened: Database[] = [];
afterAll(async () => {
  for (const db of opened) await db.close();
});

function open(addresses: Address[]): Database {
  const db = openDatabase({ addresses, poolSize: 2, ...context });
  opened.push(db);
  return db;
}

const whereAmI = (db: Database) =>
  db.query(sql`select current_database() as name, pg_is_in_recovery() as standby`);

describe("several hosts", () => {
  const nobody = () => ({ ...held.address, host: "/tmp/slipway-nobody-is-here" });

  test("the first that answers is used", async () => {
    const db = open([nobody(), nobody(), held.address]);
    expect(await whereAmI(db)).toEqual([{ name: held.address.database, standby: false }]);
    await Promise.all([whereAmI(db), whereAmI(db), whereAmI(db)]);
  });

  test("none that answers is an error, not a wait", async () => {
    await expect(whereAmI(open([nobody(), nobody()]))).rejects.toThrow(UnavailableError);
  });

  test("a standby that only reads is passed over", async () => {
    const dataFolder = temporaryFolder();
    const first = await startEmbedded({ dataFolder, purpose: "service", ...context });
    await first.stop();
    writeFileSync(join(first.folder, "standby.signal"), "");
    const standby = await startEmbedded({ dataFolder, purpose: "service", ...context });
    const address = { ...standby.address, database: "postgres" };
    expect(await whereAmI(open([address]))).toEqual([{ name: "postgres", standby: true }]);
    const db = open([address, { ...inject("server"), database: held.address.database }]);
    expect(await whereAmI(db)).toEqual([{ name: held.address.database, standby: false }]);
    for (const other of opened.splice(0)) await other.close();
    await standby.stop();
  });
});

test("a host that accepts and says nothing is given up on", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  const bound = silent.address();
  const port = typeof bound === "object" && bound ? bound.port : 0;
  const db = open([{ ...held.address, host: "127.0.0.1", port }]);
  await expect(whereAmI(db)).rejects.toThrow(UnavailableError);
  silent.close();
});
