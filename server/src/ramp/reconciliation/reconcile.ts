import type { Database, Transaction } from "../../database/database.ts";
import type { DueRunner } from "../../database/due.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import type { NewsSource } from "../ports.ts";
import {
  type Finding,
  forgetGoodReports,
  insertReport,
  listDueSubjects,
  type Report,
} from "../store/reconciliations.ts";
import { reconcileBank, statementsSince } from "./reconcile-bank.ts";
import { type ChainBooks, reconcileChain } from "./reconcile-chain.ts";

/** What it takes to compare our books with those of the bank and the chains. */
export type ReconciliationContext = {
  db: Database;
  clock: Clock;
  random: Random;
  log: Log;
  news: readonly NewsSource[];
  chains: readonly ChainBooks[];
};

/** What was found, and what could not be compared just now, and why. */
export type Comparison = {
  findings: Finding[];
  notCompared: { subject: string; reason: string }[];
};

const dayMs = 24 * 3_600_000;
const goodReportsKeptMs = 90 * dayMs;
/** After which time something is tried again that could not be compared. */
const retryMs = 60_000;
/** More lines about one report would only hide the first. */
const loggedMost = 20;

/** Everything that can be compared: the bank and the chains. */
export function subjectsOf({ chains }: Pick<ReconciliationContext, "chains">): string[] {
  return ["bank", ...chains.map(({ blockchain }) => `chain:${blockchain}`)];
}

/** Compares our books with others'. Nothing is written: `writeFindings` does. */
export async function compareBooks(
  context: ReconciliationContext,
  subjects: readonly string[],
): Promise<Comparison> {
  const comparison: Comparison = { findings: [], notCompared: [] };
  for (const subject of subjects) {
    try {
      comparison.findings.push(...(await compareOne(context, subject)));
    } catch (error) {
      const reason = messageOf(error);
      comparison.notCompared.push({ subject, reason });
      context.log.warn({ subject, reason }, "books cannot be compared just now; it is tried again");
    }
  }
  return comparison;
}

async function compareOne(context: ReconciliationContext, subject: string): Promise<Finding[]> {
  if (subject === "bank") return reconcileBank(context);
  const chain = context.chains.find(({ blockchain }) => subject === `chain:${blockchain}`);
  return chain ? [await reconcileChain(context, chain)] : [];
}

/** Writes down what was found, and forgets what was all right long ago. */
export async function writeFindings(
  tx: Transaction,
  { clock, random, log }: Pick<ReconciliationContext, "clock" | "random" | "log">,
  findings: readonly Finding[],
): Promise<Report[]> {
  const now = clock.now();
  const reports = findings.map((finding) => ({
    ...finding,
    id: newId("rec", random),
    isOk: finding.differences.length === 0,
    at: new Date(now),
  }));
  for (const report of reports) {
    await insertReport(tx, report);
    raiseAlarm(log, report);
  }
  await forgetGoodReports(tx, new Date(now - goodReportsKeptMs));
  return reports;
}

function raiseAlarm(log: Log, { id, subject, asOf, differences }: Report): void {
  for (const { item, explanation } of differences.slice(0, loggedMost)) {
    log.error(
      { report: id, subject, asOf, item, explanation },
      "our books and theirs do not agree; switch payouts off (kill switch `payouts`) until it is known why, and look at the report",
    );
  }
  const others = differences.length - loggedMost;
  if (others > 0)
    log.error({ report: id, subject, others }, "and more differences are in the report");
}

/** Compares our books once a day with everybody's, and with the bank's as soon as it has left a statement. */
export function reconciliationRunner(context: ReconciliationContext): DueRunner {
  const { db, clock } = context;
  const subjects = subjectsOf(context);
  let nextAt = Number.NEGATIVE_INFINITY;
  return {
    name: "reconciliation",
    async run() {
      const now = clock.now();
      if (now < nextAt) return 0;
      const due = await listDueSubjects(db, subjects, {
        since: new Date(now - dayMs),
        statementsSince: statementsSince(now),
      });
      if (due.length === 0) return 0;
      const { findings, notCompared } = await compareBooks(context, due);
      if (notCompared.length > 0) nextAt = now + retryMs;
      await db.transact((tx) => writeFindings(tx, context, findings));
      return findings.length;
    },
  };
}
