import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { postmastersUnder, processesNaming } from "../../../test/postgres-processes.ts";
import { quickClock } from "../../../test/quick-clock.ts";
import { silentLog } from "../../../test/silent-log.ts";
import {
  readyFolder,
  runSlipway,
  startService,
  type TestService,
  temporaryFolder,
  withoutMarkets,
} from "../../../test/test-service.ts";
import { systemClock } from "../../lib/clock.ts";
import { systemRandom } from "../../lib/random.ts";
import { openDatabase } from "../database.ts";
import { sql } from "../sql.ts";
import { findBinaries } from "./binaries.ts";
import { type Embedded, startEmbedded } from "./embedded.ts";
import { canReach, chooseRunAs } from "./unprivileged.ts";

const context = { clock: systemClock, random: systemRandom, log: silentLog };
const isRoot = process.getuid?.() === 0;
const running: Embedded[] = [];

afterEach(async () => {
  for (const embedded of running.splice(0)) await embedded.stop();
});

async function start(dataFolder: string, purpose: "service" | "command" = "service") {
  const embedded = await startEmbedded({ dataFolder, purpose, ...context });
  running.push(embedded);
  const db = openDatabase({ addresses: [embedded.address], poolSize: 2, ...context });
  return { embedded, db };
}

describe("the embedded PostgreSQL", () => {
  test("keeps its data over a stop, listens on no port, and syncs to disk", async () => {
    const folder = readyFolder();
    const first = await start(folder);
    await first.db.query(sql`create table kept (id int)`);
    const [settings] = await first.db.query(sql`
      select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
             current_setting('synchronous_commit') as commit`);
    expect(settings).toEqual({ addresses: "", fsync: "on", commit: "on" });
    await first.db.close();
    await first.embedded.stop();
    expect(postmastersUnder(folder)).toEqual([]);

    const second = await start(folder);
    expect(await second.db.query(sql`select * from kept`)).toEqual([]);
    await second.db.close();
  });

  test("is brought back after kill -9, with everything that was committed", async () => {
    const folder = readyFolder();
    const { db } = await start(folder);
    await db.query(sql`create table kept (id int)`);
    await db.query(sql`insert into kept values (1)`);
    for (const pid of postmastersUnder(folder)) process.kill(pid, "SIGKILL");
    await expect
      .poll(() => db.query(sql`select id from kept`).catch(() => []))
      .toEqual([{ id: 1 }]);
    await db.close();
  });

  test("that cannot start says why, in PostgreSQL's own words", async () => {
    const folder = readyFolder();
    const { embedded, db } = await start(folder);
    await db.close();
    await embedded.stop();
    running.length = 0;
    appendFileSync(join(embedded.folder, "postgresql.conf"), "no_such_setting = on\n");
    const hurried = { ...context, clock: quickClock(20), purpose: "service" } as const;
    const again = startEmbedded({ ...hurried, dataFolder: folder });
    await expect(again).rejects.toThrow(/does not start on .*no_such_setting/s);
  });

  test("half-made by an interrupted first start is made anew", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "postgres.99999999.init"), { mode: 0o700 });
    const { db } = await start(folder);
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".init"))).toEqual([]);
    await db.close();
  });
});

describe("a data folder", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });

  test("has one service; the second is told who has it", async () => {
    const second = runSlipway(["start"], {
      env: { ...withoutMarkets, PORT: "0", SLIPWAY_DATA: service.dataFolder },
    });
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`is in use by slipway pid ${service.pid}`);
    expect(second.output()).toContain("SLIPWAY_DATA");
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  });

  test("whose service was killed together with its guard is taken over", async () => {
    const { dataFolder, pid: killed } = service;
    const [postmaster = 0] = postmastersUnder(dataFolder);
    const guards = processesNaming(dataFolder).filter(
      (pid) => pid !== killed && !postmastersUnder(dataFolder).includes(pid),
    );
    process.kill(killed, "SIGSTOP");
    for (const pid of guards) process.kill(pid, "SIGKILL");
    process.kill(killed, "SIGKILL");
    await service.ended;
    expect(postmastersUnder(dataFolder)).toEqual([postmaster]);

    const { embedded, db } = await start(dataFolder);
    expect(postmastersUnder(dataFolder)).not.toContain(postmaster);
    expect(await db.query(sql`select from users where id = 'usr-10000000000001'`)).toHaveLength(1);
    await db.close();
    await embedded.stop();
    expect(processesNaming(dataFolder)).toEqual([]);
  });

  test("is shared by a command and the service that owns it", async () => {
    const folder = readyFolder();
    const owner = await start(folder);
    const command = await start(folder, "command");
    await command.db.query(sql`create table from_command (id int)`);
    expect(await owner.db.query(sql`select * from from_command`)).toEqual([]);
    await command.db.close();
    await owner.db.close();
  });
});

describe("whoever starts it", () => {
  test.runIf(isRoot)(
    "root: postgres runs as somebody else, also when the folder is closed to others",
    async () => {
      const home = temporaryFolder();
      chmodSync(home, 0o700);
      const folder = join(home, "data");
      const { embedded, db } = await start(folder);
      const [postmaster] = postmastersUnder(embedded.folder);
      expect(statSync(`/proc/${postmaster}`).uid).not.toBe(0);
      expect(embedded.folder.startsWith(home)).toBe(false);
      await db.query(sql`create table kept (id int)`);
      await db.close();
      await embedded.stop();
      running.length = 0;

      const again = await start(folder);
      expect(await again.db.query(sql`select * from kept`)).toEqual([]);
      await again.db.close();
      await again.embedded.stop();
      rmSync(join(again.embedded.folder, ".."), { recursive: true });
    },
  );

  test.runIf(isRoot)("a plain user: everything runs as that user", async () => {
    const { uid } = chooseRunAs(0) ?? { uid: 0 };
    const folder = temporaryFolder();
    chownSync(folder, uid, uid);
    const service = await startService({ uid, env: { SLIPWAY_DATA: folder } });
    const [postmaster] = postmastersUnder(folder);
    expect(statSync(`/proc/${postmaster}`).uid).toBe(uid);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    expect(await service.stop()).toBe(0);
  });

  test("nobody to run as is said plainly", () => {
    expect(() => chooseRunAs(0, "root:x:0:0::/root:/bin/sh\n")).toThrow("set DATABASE_URL");
  });

  test("a folder is reachable when every folder above it lets the user pass", () => {
    const home = temporaryFolder();
    const stranger = { uid: 65_432, gid: 65_432 };
    chmodSync(home, 0o711);
    expect(canReach(home, stranger)).toBe(true);
    chmodSync(home, 0o700);
    expect(canReach(join(home, "below"), stranger)).toBe(false);
    expect(canReach(home, undefined)).toBe(true);
  });
});

test("a platform without binaries is told how to bring its own PostgreSQL", () => {
  expect(() => findBinaries("plan9", "vax")).toThrow(
    /no embedded PostgreSQL for plan9-vax.*DATABASE_URL/s,
  );
});
