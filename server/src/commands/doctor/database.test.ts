import { beforeEach, describe, expect, test } from "vitest";
import { silentLog as log } from "../../../test/silent-log.ts";
import { useDatabase } from "../../../test/test-database.ts";
import { temporaryFolder } from "../../../test/test-service.ts";
import { hashKey } from "../../accounts/api-key.ts";
import { sql } from "../../database/sql.ts";
import { systemClock as clock } from "../../lib/clock.ts";
import { assert } from "../../lib/errors.ts";
import { systemRandom as random } from "../../lib/random.ts";
import { databaseFindings, examineDatabase } from "./database.ts";

const held = useDatabase(2);
const secret = "s".repeat(40);
const config = { dataFolder: "/nowhere", mode: "live", secret } as const;
const look = (changed: Parameters<typeof databaseFindings>[0] = config, ours = clock) =>
  databaseFindings(changed, held.db, "here", ours);

beforeEach(async () => {
  await held.db.query(sql`truncate installation`);
  await held.db.query(sql`
    insert into installation (secret_check, created_at)
    values (${hashKey("installation", secret)}, ${new Date(0)})`);
});

describe("a database", () => {
  test("is well with a schema and a secret that fit", async () => {
    const { findings, isCurrent } = await look();
    expect(findings).toMatchObject([
      { state: "ok", what: expect.stringMatching(/^PostgreSQL \d+ answers: here$/) },
      { state: "ok", what: expect.stringContaining("up to date") },
    ]);
    expect(isCurrent).toBe(true);
  });

  test("whose clock is another's than ours says how far they are apart", async () => {
    const late = { ...clock, now: () => clock.now() - 60_000 };
    const { findings } = await look(config, late);
    expect(findings).toContainEqual(
      expect.objectContaining({
        state: "broken",
        what: expect.stringMatching(/^Our clock is \d\d s behind the database's server\.$/),
      }),
    );
  });

  test("with another secret, or without it, is somebody else's", async () => {
    const { secret: _, ...without } = config;
    for (const changed of [without, { ...config, secret: "t".repeat(40) }]) {
      const { findings } = await look(changed);
      expect(findings.at(-1)).toMatchObject({
        state: "broken",
        fix: expect.stringContaining("SLIPWAY_SECRET"),
      });
    }
  });

  test("with migrations to come is not looked into, and neither is one with a changed one", async () => {
    type Applied = { number: number; name: string; hash: string };
    const [last] = await held.db.query<Applied>(sql`
      select number, name, hash from schema_migrations order by number desc limit 1`);
    assert(last, "the template is migrated");
    await held.db.query(sql`delete from schema_migrations where number = ${last.number}`);
    expect(await look()).toMatchObject({
      isCurrent: false,
      findings: [{}, { state: "warning", fix: expect.stringContaining("slipway migrate") }],
    });
    await held.db.query(sql`
      insert into schema_migrations (number, name, hash, applied_at)
      values (${last.number}, ${last.name}, 'other', ${new Date(0)})`);
    expect(await look()).toMatchObject({ isCurrent: false, findings: [{}, { state: "broken" }] });
    await held.db.query(sql`
      update schema_migrations set hash = ${last.hash} where number = ${last.number}`);
  });

  test("that is not there yet is no trouble, one that does not answer is", async () => {
    const dataFolder = temporaryFolder();
    const tools = { clock, random, log };
    expect(await examineDatabase({ ...config, dataFolder }, tools)).toMatchObject({
      findings: [{ state: "ok" }],
      db: undefined,
    });
    const databaseUrl = "postgres://ada:hunter2@127.0.0.1:1/slipway";
    const examined = await examineDatabase({ ...config, databaseUrl }, tools);
    expect(examined).toMatchObject({
      findings: [{ state: "broken", fix: expect.stringContaining("DATABASE_URL") }],
      db: undefined,
    });
    expect(JSON.stringify(examined.findings)).not.toContain("hunter2");
  });
});
