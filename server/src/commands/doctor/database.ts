import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hashKey, sameHash } from "../../accounts/api-key.ts";
import { hasSandboxKeys } from "../../accounts/store/keys.ts";
import type { Config } from "../../config.ts";
import { type Address, parseDatabaseUrl, showAddress } from "../../database/address.ts";
import { type Database, openDatabase } from "../../database/database.ts";
import { startEmbedded } from "../../database/embedded/embedded.ts";
import { migrationsFolder, pendingMigrations, readMigrations } from "../../database/migrate.ts";
import { oldestVersion } from "../../installation.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import { broken, type Finding, ok, tooSlow, warning } from "./check.ts";
import { clockDifference, clockTrouble } from "./clock.ts";
import {
  findSecretCheck,
  findServerFacts,
  listApplied,
  type ServerFacts,
} from "./store/questions.ts";
import { countOf } from "./words.ts";

type Tools = { clock: Clock; random: Random; log: Log };

type DatabaseConfig = Pick<Config, "databaseUrl" | "dataFolder" | "mode" | "secret">;

/** What was found out about the database. */
export type Examined = {
  findings: Finding[];
  /** To look into; nothing when it cannot be reached or has another schema. */
  db: Database | undefined;
  close(): Promise<void>;
};

const poolSize = 6;

/** A server that has crashed reads its log before it answers. */
const limitMs = 60_000;

/** Opens the database as a command does, and looks at it. Nothing in it is changed: no migration, no secret is made. */
export async function examineDatabase(config: DatabaseConfig, tools: Tools): Promise<Examined> {
  const isOver = new AbortController();
  const late = tools.clock.sleep(limitMs, isOver.signal).then(() => without(tooSlow(limitMs)));
  try {
    return await Promise.race([openAndExamine(config, tools), late]);
  } finally {
    isOver.abort();
  }
}

async function openAndExamine(config: DatabaseConfig, tools: Tools): Promise<Examined> {
  const { databaseUrl, dataFolder } = config;
  if (!databaseUrl && !existsSync(join(dataFolder, "postgres")))
    return without(ok(`There is none yet: the first \`slipway start\` makes it in ${dataFolder}`));
  let server: Server | undefined;
  try {
    server = databaseUrl ? configured(databaseUrl) : await embedded(dataFolder, tools);
    return await examine(config, server, tools);
  } catch (error) {
    await server?.stop();
    return without(unreachable(error, server));
  }
}

function without(finding: Finding): Examined {
  return { findings: [finding], db: undefined, close: async () => {} };
}

type Server = { addresses: Address[]; place: string; stop(): Promise<void> };

function configured(url: string): Server {
  const addresses = parseDatabaseUrl(url);
  return { addresses, place: addresses.map(showAddress).join(", "), stop: async () => {} };
}

async function embedded(dataFolder: string, tools: Tools): Promise<Server> {
  const { address, folder, stop } = await startEmbedded({
    dataFolder,
    purpose: "command",
    ...tools,
  });
  return { addresses: [address], place: `${folder} (embedded)`, stop };
}

async function examine(config: DatabaseConfig, server: Server, tools: Tools): Promise<Examined> {
  const db = openDatabase({ addresses: server.addresses, poolSize, ...tools });
  const close = async () => {
    await db.close();
    await server.stop();
  };
  try {
    const { findings, isCurrent } = await databaseFindings(config, db, server.place, tools.clock);
    return { findings, db: isCurrent ? db : undefined, close };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** What there is to say about a database that answers, and whether it has the schema of this build. */
export async function databaseFindings(
  config: DatabaseConfig,
  db: Database,
  place: string,
  clock: Clock,
): Promise<{ findings: Finding[]; isCurrent: boolean }> {
  // The first connection takes its time, which is not the clock's fault.
  await db.ping();
  const from = clock.now();
  const facts = await findServerFacts(db);
  const difference = clockDifference({ from, to: clock.now() }, facts?.at.getTime() ?? from, 0);
  const findings = facts ? serverFindings(facts, place) : [];
  findings.push(...clockTrouble(difference, "the database's server"));
  const { finding, isCurrent } = schemaFinding(await listApplied(db));
  findings.push(finding);
  if (isCurrent) findings.push(...(await belongingFindings(config, db)));
  return { findings, isCurrent };
}

function serverFindings(facts: ServerFacts, place: string): Finding[] {
  const { version, hasRole, mayUseRole, mayCreateRoles } = facts;
  const findings =
    version >= oldestVersion
      ? [ok(`PostgreSQL ${version} answers: ${place}`)]
      : [
          broken({
            what: `The server is PostgreSQL ${version}: ${place}`,
            why: `Slipway needs ${oldestVersion} or newer, and does not start on it.`,
            fix: "Upgrade the server, or set DATABASE_URL to a newer one.",
          }),
        ];
  if (hasRole ? !mayUseRole : !mayCreateRoles) findings.push(withoutRole(hasRole));
  return findings;
}

function withoutRole(hasRole: boolean): Finding {
  const create = hasRole ? "" : "create role slipway_customer nologin; ";
  return broken({
    what: `The database user may not ${hasRole ? "act as" : "create"} the role slipway_customer.`,
    why: "Every request of a customer runs as that role, which sees that customer's rows only.",
    fix: `As an administrator: ${create}grant slipway_customer to the user in DATABASE_URL.`,
  });
}

function schemaFinding(applied: Awaited<ReturnType<typeof listApplied>>): {
  finding: Finding;
  isCurrent: boolean;
} {
  try {
    const pending = pendingMigrations(readMigrations(migrationsFolder), applied);
    if (pending.length === 0)
      return { finding: ok(`The schema is up to date (${applied.length})`), isCurrent: true };
    const finding = warning({
      what: `${countOf(pending.length, "migration")} to apply, from ${pending[0]?.number} ${pending[0]?.name}.`,
      why: "This build needs the newer schema. What is in the database was not looked at.",
      fix: "`slipway start` applies them by itself; to do it alone, back up and run `slipway migrate`.",
    });
    return { finding, isCurrent: false };
  } catch (error) {
    const finding = broken({
      what: messageOf(error),
      why: "The service does not start on a schema it does not know.",
      fix: "Do what the sentence above says.",
    });
    return { finding, isCurrent: false };
  }
}

/** Whether the database belongs to this secret and this mode. */
async function belongingFindings(config: DatabaseConfig, db: Database): Promise<Finding[]> {
  const findings: Finding[] = [];
  const expected = await findSecretCheck(db);
  const secret = config.secret ?? secretIn(config.dataFolder);
  if (expected && !(secret && sameHash(hashKey("installation", secret), expected))) {
    findings.push(
      broken({
        what: secret
          ? "The database was set up with another secret."
          : "The secret with which the database was set up is not here.",
        why: "API keys are hashed with it: none of them would work, and the service does not start.",
        fix: "Set SLIPWAY_SECRET to it, or bring the file `secret` back to the data folder.",
      }),
    );
  }
  if (config.mode === "live" && (await hasSandboxKeys(db))) {
    findings.push(
      broken({
        what: "The database holds the sandbox's keys.",
        why: "Everybody knows them, so live mode does not start on it.",
        fix: "Set DATABASE_URL or SLIPWAY_DATA to a database of its own.",
      }),
    );
  }
  return findings;
}

function secretIn(dataFolder: string): string | undefined {
  const file = join(dataFolder, "secret");
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function unreachable(error: unknown, server: Server | undefined): Finding {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return broken({
    what: server ? `${server.place} cannot be used: ${messageOf(cause)}` : messageOf(cause),
    why: "Without its database the service does not start. What is in it was not looked at.",
    fix: "Check DATABASE_URL and that the server runs; unset it to use the embedded PostgreSQL.",
  });
}
