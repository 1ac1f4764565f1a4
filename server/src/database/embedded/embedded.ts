import { backoffMs } from "../../lib/backoff.ts";
import type { Clock } from "../../lib/clock.ts";
import { OperatorError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import type { Address } from "../address.ts";
import { findBinaries, prepareBinaries } from "./binaries.ts";
import { embeddedUser, initialise } from "./cluster.ts";
import { claimFolder, type FolderLock, findOwner } from "./folder-lock.ts";
import { choosePlaces, makePrivateFolder, type Places } from "./places.ts";
import { findPostmaster, isAlive, type Postmaster } from "./postmaster.ts";
import { lastLogLines, type Server, startServer } from "./server.ts";
import { chooseRunAs } from "./unprivileged.ts";

/** A PostgreSQL that comes with Slipway, and lives and dies with it. */
export type Embedded = {
  address: Address;
  /** Where its files are, for people to know. */
  folder: string;
  /** Resolves when the data folder was taken by another service, after which we must not go on. */
  lost: Promise<Error>;
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  dataFolder: string;
  /** A service owns its data folder alone. A command may use the server of a service that is running. */
  purpose: "service" | "command";
  clock: Clock;
  random: Random;
  log: Log;
};

/** What it takes to run the server on one data folder. */
type Site = EmbeddedOptions & { places: Places; launch(): Server };

const databaseName = "slipway";
const startWithinMs = 10_000;
/** A server that is just stopping may have much to write before it is gone. */
const endWithinMs = 120_000;
const recoveryNoteMs = 3_000;
const stopWithinMs = 10_000;
const ownerGraceMs = 3_000;
const pollMs = 20;

/** Starts PostgreSQL on the data folder, or joins the one that is running there. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const site = prepareSite(options);
  const { places, clock, random } = site;
  const began = clock.now();
  for (let attempt = 0; ; attempt++) {
    const running = findPostmaster(places.cluster);
    const embedded = running ? await dealWith(running, site, began) : await launchOwn(site);
    if (embedded) return embedded;
    if (clock.now() - began > (running ? endWithinMs : startWithinMs)) {
      throw new OperatorError(
        `PostgreSQL does not start on ${places.cluster}. Its last words:\n${lastLogLines(places)}`,
      );
    }
    await clock.sleep(backoffMs(attempt, { firstMs: 20, mostMs: 500 }, random));
  }
}

/** A server is there already: join it, refuse to share it, or end it when nobody owns it any more. */
async function dealWith(
  { pid, socketFolder }: Postmaster,
  site: Site,
  began: number,
): Promise<Embedded | undefined> {
  const { places, purpose, clock } = site;
  const lock = await claimFolder(addressOf(socketFolder, "postgres"));
  if (lock === "unreachable") return undefined;
  if (lock === "taken") {
    if (purpose === "command") return join(socketFolder, places);
    // A command that is just ending may hold it for a moment.
    if (clock.now() - began > ownerGraceMs) throw await inUse(site, socketFolder);
    return undefined;
  }
  // Left behind by a service that was killed together with its guard.
  await endStale(pid, lock, clock);
  return undefined;
}

async function launchOwn(site: Site): Promise<Embedded | undefined> {
  const owned = await launchAndClaim(site);
  return owned && own(site, owned);
}

function prepareSite(options: EmbeddedOptions): Site {
  const runAs = chooseRunAs(process.getuid?.() ?? -1);
  const places = choosePlaces(options.dataFolder, runAs);
  const binaries = prepareBinaries(findBinaries(), places.copyHome, runAs);
  initialise(binaries, places.cluster, runAs);
  const launch = () => {
    makePrivateFolder(places.socketFolder, runAs);
    return startServer(binaries, places, runAs);
  };
  return { ...options, places, launch };
}

type Owned = { server: Server; lock: FolderLock };

/** Starts a server and becomes the folder's owner. Nothing when another process was faster. */
async function launchAndClaim(site: Site): Promise<Owned | undefined> {
  const server = site.launch();
  const lock = await claimWhileRunning(site, server);
  if (typeof lock === "object") {
    await lock.ensureDatabase(databaseName);
    return { server, lock };
  }
  server.stop();
  await server.ended;
  return undefined;
}

async function claimWhileRunning(
  site: Site,
  server: Server,
): Promise<FolderLock | "taken" | "ended"> {
  const address = addressOf(site.places.socketFolder, "postgres");
  for (let waited = 0; server.isRunning(); waited += pollMs) {
    const lock = await claimFolder(address);
    if (lock !== "unreachable") return lock;
    if (waited === recoveryNoteMs)
      site.log.info("PostgreSQL is reading its log after a crash; waiting for it");
    await site.clock.sleep(pollMs);
  }
  return "ended";
}

/** Keeps the server running and the folder ours until we are told to stop. */
function own(site: Site, first: Owned): Embedded {
  const { places, clock, random, log } = site;
  let { server, lock } = first;
  let isStopping = false;
  let reportLost: (error: Error) => void = () => {};
  const lost = new Promise<Error>((resolve) => {
    reportLost = resolve;
  });

  /** Returns whether the server is back and ours. */
  async function recover(failures: number): Promise<boolean> {
    if (failures === 0) {
      log.warn(`PostgreSQL went away; bringing it back (its log: ${places.logFile})`);
    } else {
      await clock.sleep(backoffMs(failures, { firstMs: 50, mostMs: 5_000 }, random));
    }
    if (!server.isRunning()) server = site.launch();
    const claimed = await claimWhileRunning(site, server);
    if (claimed === "ended") return false;
    if (claimed === "taken") {
      reportLost(await inUse(site, places.socketFolder));
      isStopping = true;
      return false;
    }
    lock = claimed;
    log.info("PostgreSQL is back");
    return true;
  }

  async function supervise(): Promise<void> {
    for (let failures = 0; !isStopping; ) {
      await Promise.race([server.ended, lock.lost]);
      if (!isStopping) failures = (await recover(failures)) ? 0 : failures + 1;
    }
  }
  const supervised = supervise();

  return {
    address: addressOf(places.socketFolder, databaseName),
    folder: places.cluster,
    lost,
    async stop() {
      isStopping = true;
      await lock.release();
      server.stop();
      const killer = setTimeout(() => killNow(places), stopWithinMs);
      await Promise.all([server.ended, supervised]);
      clearTimeout(killer);
    },
  };
}

/** Uses the server of the service that is running. It is not ours to stop. */
function join(socketFolder: string, places: Places): Embedded {
  return {
    address: addressOf(socketFolder, databaseName),
    folder: places.cluster,
    lost: new Promise(() => {}),
    stop: () => Promise.resolve(),
  };
}

async function endStale(pid: number, lock: FolderLock, clock: Clock): Promise<void> {
  await lock.release();
  process.kill(pid, "SIGINT");
  for (let waited = 0; isAlive(pid); waited += pollMs) {
    if (waited === stopWithinMs) process.kill(pid, "SIGQUIT");
    await clock.sleep(pollMs);
  }
}

function killNow(places: Places): void {
  const running = findPostmaster(places.cluster);
  if (running) process.kill(running.pid, "SIGQUIT");
}

async function inUse(site: Site, socketFolder: string): Promise<OperatorError> {
  const owner = await findOwner(addressOf(socketFolder, "postgres"));
  return new OperatorError(
    `The data folder ${site.dataFolder} is in use by ${owner}. ` +
      "Stop that service, or give this one a folder of its own with SLIPWAY_DATA.",
  );
}

function addressOf(socketFolder: string, database: string): Address {
  return { host: socketFolder, port: 5432, user: embeddedUser, database };
}
