import { verifyAudit } from "../../accounts/audit.ts";
import { readBackward } from "../../accounts/store/audit.ts";
import type { Queryable } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { listKillSwitches } from "../../ramp/store/kill-switches.ts";
import { findLastReport, listLastOutcomes, type Report } from "../../ramp/store/reconciliations.ts";
import { broken, type Finding, ok, warning } from "./check.ts";
import {
  countDisabledWebhooks,
  countOverduePayouts,
  countUnmatchedDeposits,
  countUnmatchedWires,
  findAuditEnd,
  listTroubledFiles,
  type TroubledFile,
  type Waiting,
} from "./store/questions.ts";
import { countOf, inWords, someOf } from "./words.ts";

type Books = { db: Queryable; clock: Clock };

const latelyMs = 7 * 24 * 3_600_000;
/** An audit log up to so many lines is checked whole; of a longer one the newest are. */
const auditWholeMost = 20_000;
const auditNewest = 1_000;

/** What operators have switched off. */
export async function killSwitchFindings({ db }: Books): Promise<Finding[]> {
  const switches = await listKillSwitches(db);
  if (switches.length === 0) return [ok("Nothing is switched off")];
  return switches.map(({ name, reason, setAt }) =>
    warning({
      what: `${name} is switched off since ${setAt.toISOString()}: ${reason}`,
      why: "What would go out there waits, and customers with it.",
      fix: `When it may go on: DELETE /operator/killSwitches/${name}`,
    }),
  );
}

/** Payouts that should have been confirmed, and money that nobody can claim. */
export async function moneyFindings({ db, clock }: Books): Promise<Finding[]> {
  const age = ({ since }: Waiting) => inWords(Math.max(0, clock.now() - (since?.getTime() ?? 0)));
  const findings: Finding[] = [];
  const overdue = await countOverduePayouts(db);
  if (overdue.count > 0) {
    findings.push(
      broken({
        what: `${countOf(overdue.count, "payout")} should have been confirmed, the first ${age(overdue)} ago.`,
        why: "The money is on its way or lost: nobody has heard what became of it.",
        fix: "List them with GET /operator/payouts?state=submitted, and ask the bank or look on the chain by their trace.",
      }),
    );
  }
  const wires = await countUnmatchedWires(db);
  if (wires.count > 0) {
    findings.push(
      warning({
        what: `${countOf(wires.count, "wire")} belong to no transaction, the first for ${age(wires)}.`,
        why: "Customers wait for what they paid for; what nobody claims goes back after a while.",
        fix: "List them with GET /operator/wires?state=suspense; match or return each.",
      }),
    );
  }
  const deposits = await countUnmatchedDeposits(db);
  if (deposits.count > 0) {
    findings.push(
      warning({
        what: `${countOf(deposits.count, "deposit")} count for no transaction, the first for ${age(deposits)}.`,
        why: "Crypto of customers lies with us that nothing was paid for.",
        fix: "List them with GET /operator/deposits?use=suspense, and return each.",
      }),
    );
  }
  return findings.length > 0 ? findings : [ok("Nothing is overdue and nothing unclaimed")];
}

/** Files that did not get to the bank, or that it refused, or we. */
export async function fileFindings({ db, clock }: Books): Promise<Finding[]> {
  const files = await listTroubledFiles(db, new Date(clock.now() - latelyMs));
  const inState = (state: TroubledFile["state"]) => files.filter((file) => file.state === state);
  const ids = (some: readonly TroubledFile[]) => someOf(some.map(({ id }) => id));
  const [held, ready] = [inState("held"), inState("ready")];
  const findings = held.length > 0 ? [heldFiles(ids(held), held.length)] : [];
  if (ready.length > 0) {
    findings.push(
      broken({
        what: `${countOf(ready.length, "file")} could not be delivered: ${ids(ready)} (${ready[0]?.problem}).`,
        why: "The bank does not have these payments; cut-off times pass meanwhile.",
        fix: "Put right what keeps them (see bank above). They are delivered by themselves, each once.",
      }),
    );
  }
  for (const state of ["rejected", "refused"] as const) {
    const some = inState(state);
    if (some.length > 0) findings.push(refusedFiles(state, some, ids(some)));
  }
  return findings.length > 0 ? findings : [ok("Every file got where it should")];
}

function heldFiles(ids: string, count: number): Finding {
  return warning({
    what: `${countOf(count, "file")} wait for operators: ${ids}.`,
    why: "Nothing in them is paid before enough operators approve.",
    fix: "Look at them with GET /operator/bankFiles?state=held, then POST /operator/bankFiles/{fileId}/approve.",
  });
}

function refusedFiles(
  state: "rejected" | "refused",
  files: readonly TroubledFile[],
  ids: string,
): Finding {
  const isOurs = state === "rejected";
  return warning({
    what: `${isOurs ? "The bank rejected" : "We could not read"} ${countOf(files.length, "file")} this week: ${ids} (${files[0]?.problem}).`,
    why: isOurs
      ? "What was in them is not paid; the payouts failed or go with another file."
      : "What the bank said in them is not in the books: payments or returns may be missing.",
    fix: `Look at them with GET /operator/bankFiles?state=${state}, and ask the bank${isOurs ? "" : " for files that are whole"}.`,
  });
}

/** Whether the newest comparison with each bank and chain came out even. Nothing when nothing was compared yet. */
export async function comparisonFindings({ db }: Books): Promise<Finding[]> {
  const outcomes = await listLastOutcomes(db);
  const reports = await Promise.all(outcomes.map(({ subject }) => findLastReport(db, subject)));
  return reports.flatMap((report) => (report ? [comparisonFinding(report)] : []));
}

function comparisonFinding({ id, subject, asOf, isOk, compared, differences }: Report): Finding {
  if (isOk) return ok(`${subject} and our books agree as of ${asOf} (${compared} compared)`);
  const items = someOf(differences.map(({ item }) => item));
  return broken({
    what: `${subject} and our books differ as of ${asOf} in ${items}.`,
    why: "Money is missing, or moved without being booked.",
    fix: `Read GET /operator/reconciliations/${id}; switch payouts off (POST /operator/killSwitches, \`payouts\`) until each difference is explained.`,
  });
}

/** Whether the audit log is as it was written; of a long one only its end is looked at. */
export async function auditFindings({ db }: Books): Promise<Finding[]> {
  const end = await findAuditEnd(db);
  if (end > auditWholeMost) return [await newestFinding(db, end)];
  const { ok: isOk, checked, brokenAt } = await verifyAudit(db);
  return [
    isOk ? ok(`${countOf(checked, "line")} as they were written`) : changed(Number(brokenAt)),
  ];
}

async function newestFinding(db: Queryable, end: number): Promise<Finding> {
  const rows = await readBackward(db, null, auditNewest);
  const gap = rows.findIndex((row, index) => {
    const before = rows[index + 1];
    return before !== undefined && !row.previousHash.equals(before.hash);
  });
  if (gap >= 0) return changed(Number(rows[gap]?.sequence));
  return ok(
    `The newest of ${countOf(end, "line")} follow each other; \`slipway audit verify\` checks all`,
  );
}

function changed(line: number): Finding {
  return broken({
    what: `Line ${line} of the audit log is not as it was written.`,
    why: "Somebody with access to the database changed what operators did, or took it out.",
    fix: "Run `slipway audit verify`, compare with a backup, and change the database's passwords.",
  });
}

/** Where customers' events may be sent to, and whether they get through. */
export async function webhookFindings({ db }: Books, ports: readonly number[]): Promise<Finding[]> {
  const disabled = await countDisabledWebhooks(db);
  const findings: Finding[] = [];
  if (disabled > 0) {
    findings.push(
      warning({
        what: `${countOf(disabled, "webhook")} of customers are disabled.`,
        why: "Their owners are not told of anything any more.",
        fix: "Tell the owners; they enable them again after they have put their servers right.",
      }),
    );
  }
  if (ports.length === 0) {
    findings.push(
      warning({
        what: "ramp.webhookPorts is empty.",
        why: "No webhook can be sent anywhere.",
        fix: "Set ramp.webhookPorts to [443].",
      }),
    );
  }
  return findings.length > 0 ? findings : [ok(`Webhooks go to ${portsInWords(ports)}`)];
}

const portsInWords = (ports: readonly number[]) =>
  `${ports.length === 1 ? "port" : "ports"} ${ports.join(", ")}`;
