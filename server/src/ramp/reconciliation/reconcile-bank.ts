import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { assert } from "../../lib/errors.ts";
import { ledgerAccounts, usd } from "../ledger/accounts.ts";
import type { NewsSource } from "../ports.ts";
import {
  listLines,
  listStatements,
  listStatementsBefore,
  type StoredStatement,
} from "../rails/store/bank-statements.ts";
import { type ComparedLine, findBankBalance, listBookings } from "../store/bank-comparison.ts";
import {
  type Difference,
  type Explained,
  type Finding,
  findLastReport,
  listEndsToCompare,
  statementName,
} from "../store/reconciliations.ts";
import { sumOf } from "./bank-items.ts";
import { gatherItems } from "./gather-items.ts";
import { accountFor, describe, dollars, type Judged, judge, missing } from "./judge-items.ts";
import { NotComparable, whileQuiet } from "./quiet.ts";

type BankContext = { db: Database; clock: Clock; news: readonly NewsSource[] };

/** A statement, those around it, and what the comparison before this one left open. */
type Comparing = {
  statement: StoredStatement;
  previous: StoredStatement | undefined;
  next: StoredStatement | undefined;
  newestEnd: Date;
  before: Finding | undefined;
};

const dayMs = 24 * 3_600_000;
const comparedForMs = 30 * dayMs;
const explainedKeptMs = 400 * dayMs;

/** Statements that ended before this are not compared any more. */
export function statementsSince(now: number): Date {
  return new Date(now - comparedForMs);
}

/**
 * Compares the statements of the bank that have not been compared, and always the newest, with what is booked on our
 * account there. What is open after one is looked at again with the next, until both sides have it.
 */
export function reconcileBank(context: BankContext): Promise<Finding[]> {
  const { db, clock } = context;
  return whileQuiet(context, "bank", async () => {
    const ends = await listEndsToCompare(db, statementsSince(clock.now()));
    const newestEnd = ends.at(-1);
    if (!newestEnd) throw new NotComparable("the bank has left no statement yet");
    const findings: Finding[] = [];
    for (const end of ends) {
      const before = findings.at(-1) ?? (await findLastReport(db, "bank"));
      const around = await findAround(db, end);
      findings.push(await compareStatement(context, { ...around, newestEnd, before }));
    }
    return findings;
  });
}

async function findAround(db: Database, end: Date) {
  const before = new Date(end.getTime() + 1);
  const [statement, previous] = await listStatementsBefore(db, { before, limit: 2 });
  const [next] = await listStatements(db, { after: end, limit: 1 });
  assert(statement, "the statement that ends then is there");
  return { statement, previous, next };
}

async function compareStatement(context: BankContext, comparing: Comparing): Promise<Finding> {
  const { db, clock } = context;
  const { statement, newestEnd, before } = comparing;
  const now = clock.now();
  const isNewest = statement.to.getTime() === newestEnd.getTime();
  const lines = await linesOf(db, statement);
  const items = await gatherItems(
    db,
    { lines, bookings: await listBookings(db, windowOf(comparing)), names: openNames(before) },
    { sources: context.news.map(({ name }) => name), upTo: newestEnd },
  );
  const moment = { statementEnd: statement.to.getTime(), now };
  const explainedBefore = before?.explained ?? [];
  const judged = items.map((item) => judge(item, moment));
  const open = judged.filter(
    (each) => each.verdict !== "equal" && !isExplained(explainedBefore, each),
  );
  const accounted = accountFor(open);
  const owned = await findBankBalance(db);
  const { left, opening } = before
    ? { left: accounted.left, opening: [] }
    : takeOpening(comparing, owned, accounted.left);
  const wrong = left.filter(({ verdict }) => verdict === "wrong");
  const kept = explainedBefore.filter(({ at }) => at > now - explainedKeptMs);
  return {
    subject: "bank",
    asOf: statementName(statement.to),
    compared: items.length + 1,
    differences: [
      ...statementFaults(comparing, lines),
      ...wrong.map(describe),
      ...(isNewest ? balanceFault(statement, owned, left) : []),
    ],
    inTransit: left.filter(({ verdict }) => verdict === "in transit").map(describe),
    explained: [...kept, ...[...accounted.explained, ...opening].map((each) => explain(each, now))],
  };
}

async function linesOf(db: Database, { id, to }: StoredStatement): Promise<ComparedLine[]> {
  const lines = await listLines(db, id);
  return lines.map((line) => ({ ...line, statementId: id, statementEnd: to }));
}

/**
 * Between which times bookings are looked at. The comparison before has looked at all up to a day before the end of its
 * statement; those that came later could still be on the next one.
 */
function windowOf({ statement, newestEnd, before }: Comparing) {
  const lookedAt = before ? endOf(before) : statement.to.getTime();
  const isNewest = statement.to.getTime() === newestEnd.getTime();
  return { since: new Date(lookedAt - dayMs), until: isNewest ? null : statement.to };
}

const endOf = ({ asOf }: Finding): number => Date.parse(`${asOf}Z`);

function openNames(before: Finding | undefined): string[] {
  return [...(before?.differences ?? []), ...(before?.inTransit ?? [])].map(({ item }) => item);
}

function isExplained(explained: readonly Explained[], { item, theirs, ours }: Judged): boolean {
  return explained.some(
    (each) => each.item === item.name && each.theirs === theirs && each.ours === ours,
  );
}

function explain({ item, theirs, ours }: Judged, at: number): Explained {
  return { item: item.name, theirs, ours, at };
}

/**
 * With the first statement nobody knows whether the bank booked before it began what we booked shortly before its end.
 * It did when the balances agree without these bookings being on the way.
 */
function takeOpening(
  { statement }: Comparing,
  owned: bigint,
  open: readonly Judged[],
): { left: Judged[]; opening: Judged[] } {
  const isEarly = ({ item, verdict }: Judged) =>
    verdict === "in transit" &&
    item.lines.length === 0 &&
    item.bookings.every(({ at }) => at <= statement.to);
  const opening = open.filter(isEarly);
  const left = open.filter((each) => !isEarly(each));
  return expectedBalance(owned, left) === statement.closingCents
    ? { left, opening }
    : { left: [...open], opening: [] };
}

/** What the bank must have when everything that is open is counted as the bank does. */
function expectedBalance(owned: bigint, open: readonly Judged[]): bigint {
  return open.reduce((sum, each) => sum + missing(each), owned);
}

function balanceFault(
  { id, closingCents }: StoredStatement,
  owned: bigint,
  open: readonly Judged[],
): Difference[] {
  const ours = expectedBalance(owned, open);
  if (ours === closingCents) return [];
  const account = ledgerAccounts.bank();
  const explanation = `${account}: statement ${id} closes with ${dollars(closingCents)} dollars, and our books make ${dollars(ours)} of it: no line and no booking explains ${dollars(closingCents - ours)}; compare the first statement with what was booked before it`;
  return [{ item: `account:${account}`, asset: usd, theirs: closingCents, ours, explanation }];
}

/** What does not fit inside of a statement, and to those around it. */
function statementFaults(
  { statement, previous, next }: Comparing,
  lines: readonly ComparedLine[],
): Difference[] {
  const { id, openingCents, closingCents } = statement;
  const faults: [theirs: bigint, ours: bigint, words: string][] = [
    [
      openingCents,
      previous?.closingCents ?? openingCents,
      `does not begin where ${previous?.id} ends`,
    ],
    [closingCents, openingCents + sumOf(lines), "does not end with the sum of its lines"],
    [closingCents, next?.openingCents ?? closingCents, `does not end where ${next?.id} begins`],
  ];
  return faults
    .filter(([theirs, ours]) => theirs !== ours)
    .map(([theirs, ours, words]) => ({
      ...{ item: `statement:${id}`, asset: usd, theirs, ours },
      explanation: `statement ${id} ${words}: it says ${dollars(theirs)} dollars instead of ${dollars(ours)}; ask the bank for what is missing`,
    }));
}
