import type { Transaction } from "../../../database/database.ts";
import type { Clock } from "../../../lib/clock.ts";
import { isDispute, refusedLateCode } from "../../payouts/ach-returns.ts";
import type { Notice } from "../../ports.ts";
import {
  type BankEntry,
  type EntryState,
  endEntry,
  findEntry,
  findEntryByTrace,
} from "../store/bank-entries.ts";
import { nothingTold, problem, type Told } from "./reading.ts";

/** What the bank says of a payment of ours. */
export type EntryNews =
  | { outcome: "settled"; networkReference: string | null }
  | { outcome: "failed"; why: string }
  | { outcome: "returned"; code: string };

/** Whether it is news of an entry in this state, was known, or cannot be. */
type Worth = "news" | "known" | "contradiction";

/** Money that came back had gone before; money that went out cannot be refused any more. */
const worthOf: Record<EntryState, Record<EntryNews["outcome"], Worth>> = {
  waiting: { settled: "contradiction", failed: "contradiction", returned: "contradiction" },
  filed: { settled: "news", failed: "news", returned: "news" },
  settled: { settled: "known", failed: "contradiction", returned: "news" },
  failed: { settled: "contradiction", failed: "known", returned: "contradiction" },
  returned: { settled: "known", failed: "contradiction", returned: "known" },
};

/** Takes over what the bank says of a payment of ours. Said twice, it changes nothing. */
export async function hearOfEntry(
  tx: Transaction,
  { clock }: { clock: Clock },
  trace: string,
  said: EntryNews,
): Promise<Told> {
  const entry = await findEntryByTrace(tx, trace);
  if (!entry) return problem(`${trace} is no payment of ours`);
  const news = inHindsight(entry, said);
  if (news.outcome === "returned" && isDispute(news.code)) {
    return problem(
      `${entry.payoutId}: ${news.code} argues about an earlier return; nothing is booked until the bank does`,
    );
  }
  const worth = worthOf[entry.state][news.outcome];
  if (worth === "contradiction") {
    return problem(
      `${entry.payoutId} is said to be ${news.outcome}, but here it is ${entry.state}: nothing was changed, ask the bank`,
    );
  }
  if (worth === "known") return nothingTold;
  const at = new Date(clock.now());
  const networkReference = news.outcome === "settled" ? news.networkReference : null;
  await endEntry(tx, entry.payoutId, { state: news.outcome, networkReference, at });
  return { notices: [noticeOf(entry, news, at.getTime())], problems: [] };
}

/** No bank says that an ACH payment is settled: one that it refuses after we took it for that is money that came back. */
function inHindsight({ rail, state }: BankEntry, said: EntryNews): EntryNews {
  const isTooLate = rail === "ach" && (state === "settled" || state === "returned");
  return isTooLate && said.outcome === "failed"
    ? { outcome: "returned", code: refusedLateCode }
    : said;
}

function noticeOf({ payoutId: reference }: BankEntry, news: EntryNews, at: number): Notice {
  switch (news.outcome) {
    case "settled":
      return { kind: "payout_settled", reference, trace: news.networkReference, at };
    case "failed":
      return { kind: "payout_failed", reference, why: news.why, at };
    case "returned":
      return { kind: "payout_returned", reference, code: news.code, at };
  }
}

/** The payment that the bank calls by our id of it or by its trace, locked. */
export async function findNamedEntry(
  tx: Transaction,
  name: string,
): Promise<BankEntry | undefined> {
  const byTrace = await findEntryByTrace(tx, name);
  if (byTrace) return byTrace;
  const entry = await findEntry(tx, name);
  return entry && findEntryByTrace(tx, entry.trace);
}
