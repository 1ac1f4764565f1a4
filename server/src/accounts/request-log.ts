import type { Database } from "../database/database.ts";
import type { NoteRequest } from "../http/app.ts";
import type { Caller, Endpoint } from "../http/endpoint.ts";
import type { Answered } from "../http/short-cut.ts";
import type { Clock } from "../lib/clock.ts";
import { messageOf, UnavailableError } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { shownErrors, shownPath } from "./shown-request.ts";
import {
  addBatch,
  forgetBefore,
  forgetBeyond,
  type RequestBatch,
  type RequestCount,
  type RequestRow,
} from "./store/requests.ts";

export type RequestLog = {
  note: NoteRequest;
  /** Writes down what has been collected, so that whoever reads sees it. */
  flush(): Promise<void>;
  /** To be called every second: lets more be listed, writes down what there is, forgets what is old. */
  tick(): Promise<void>;
};

type RequestLogOptions = { db: Database; clock: Clock; log: Log; kept?: Kept };

/** How many requests of an account are kept; they are counted anew after so many more. */
type Kept = { most: number; recountAfter: number };

const usuallyKept: Kept = { most: 100_000, recountAfter: 10_000 };

/** How many requests of a key are listed at once, and how many in each second after that; errors apart from the others. */
const burst = 500;
const perSecond = 10;
/** How many wait to be written at most, when the database is slow or gone. */
const waitingMost = 5_000;
const keptMs = 7 * 24 * 3_600_000;
const forgetEveryMs = 60_000;
const forgottenAtOnce = 5_000;
const hourMs = 3_600_000;

type Count = { requests: number; notListed: number };

/** A key, or everybody who comes without a valid one. */
type Visitor = {
  sender: Caller | null;
  /** How many more requests may be listed, and how many errors. */
  listable: number;
  errorsListable: number;
  counts: Map<Endpoint, Map<number, Count>>;
};

type Noted = {
  request: Answered;
  endpoint: Endpoint;
  at: number;
  status: number;
  milliseconds: number;
  problems: readonly string[];
};

/**
 * Collects what is asked of the API and writes it down in batches. All requests are counted; those that come too fast
 * for anybody to read are not listed. What has not been written yet is lost in a crash.
 */
export function openRequestLog(options: RequestLogOptions): RequestLog {
  const { db, clock, log, kept = usuallyKept } = options;
  const visitors = new Map<string, Visitor>();
  /** How many of an account have been listed since somebody counted them. */
  const listedOf = new Map<string | null, number>();
  let noted: Noted[] = [];
  let unwritten: RequestBatch | undefined;
  let writing: Promise<void> = Promise.resolve();
  let forgottenAt = clock.now();

  const note: NoteRequest = (request, status, milliseconds, problems) => {
    const { endpoint, sender } = request;
    if (!endpoint || endpoint.isUnlisted) return;
    const visitor = visitors.get(sender === null ? "" : sender.keyId) ?? arrive(sender);
    const count = countOf(visitor, endpoint, status);
    count.requests++;
    // Every batch lists one at least: by that it is recognised when it has to be written again.
    if (noted.length < waitingMost && (mayList(visitor, status) || noted.length === 0)) {
      const at = clock.now() - milliseconds;
      noted.push({ request, endpoint, at, status, milliseconds, problems });
    } else count.notListed++;
  };

  function arrive(sender: Caller | null): Visitor {
    const visitor = { sender, listable: burst, errorsListable: burst, counts: new Map() };
    visitors.set(sender?.keyId ?? "", visitor);
    return visitor;
  }

  function take(): RequestBatch | undefined {
    if (noted.length === 0) return undefined;
    const now = clock.now();
    const rows = noted.map(rowOf);
    const counts = [...visitors.values()].flatMap(countsOf);
    noted = [];
    for (const visitor of visitors.values()) visitor.counts = new Map();
    for (const { userId } of rows) listedOf.set(userId, (listedOf.get(userId) ?? 0) + 1);
    return { hour: new Date(now - (now % hourMs)), rows, counts };
  }

  async function write(): Promise<void> {
    unwritten ??= take();
    if (!unwritten) return;
    try {
      await addBatch(db, unwritten);
      unwritten = undefined;
    } catch (error) {
      // The database says itself when it is gone; until it is back, requests go on being counted.
      if (error instanceof UnavailableError) return;
      log.error({ reason: messageOf(error) }, "some requests are missing from the request log");
      unwritten = undefined;
    }
  }

  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  async function forget(): Promise<void> {
    const before = new Date(clock.now() - keptMs);
    while (await forgetBefore(db, before, forgottenAtOnce));
    for (const [userId, listed] of listedOf) {
      if (listed < kept.recountAfter) continue;
      await forgetBeyond(db, userId, kept.most);
      listedOf.delete(userId);
    }
  }

  return {
    note,
    flush,
    async tick() {
      for (const [name, visitor] of visitors) if (!refill(visitor)) visitors.delete(name);
      await flush();
      if (clock.now() - forgottenAt < forgetEveryMs) return;
      forgottenAt = clock.now();
      await forget().catch((error) => {
        log.debug({ reason: messageOf(error) }, "could not forget old requests; trying again");
      });
    },
  };
}

/** Says whether there is anything left to remember about a visitor. */
function refill(visitor: Visitor): boolean {
  visitor.listable = Math.min(burst, visitor.listable + perSecond);
  visitor.errorsListable = Math.min(burst, visitor.errorsListable + perSecond);
  const isRested = visitor.listable === burst && visitor.errorsListable === burst;
  return !isRested || visitor.counts.size > 0;
}

/** Errors are listed apart, so that no flood of successes hides them. */
function mayList(visitor: Visitor, status: number): boolean {
  const kind = status < 400 ? "listable" : "errorsListable";
  if (visitor[kind] === 0) return false;
  visitor[kind]--;
  return true;
}

function countOf({ counts }: Visitor, endpoint: Endpoint, status: number): Count {
  const byStatus = counts.get(endpoint) ?? new Map<number, Count>();
  const count = byStatus.get(status);
  if (count) return count;
  const first = { requests: 0, notListed: 0 };
  counts.set(endpoint, byStatus.set(status, first));
  return first;
}

function countsOf({ sender, counts }: Visitor): RequestCount[] {
  const userId = sender?.userId ?? null;
  return [...counts].flatMap(([{ method, path: route }, byStatus]) =>
    [...byStatus].map(([status, count]) => ({ userId, method, route, status, ...count })),
  );
}

function rowOf({ request, endpoint, at, status, milliseconds, problems }: Noted): RequestRow {
  const { id, method, url, sender } = request;
  return {
    id,
    userId: sender?.userId ?? null,
    keyId: sender?.keyId ?? null,
    at: new Date(at),
    method,
    route: endpoint.path,
    path: shownPath(url, endpoint),
    status,
    milliseconds: Math.round(milliseconds * 100) / 100,
    errors: shownErrors(problems),
  };
}
