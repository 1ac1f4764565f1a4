import type { Transaction } from "../../database/database.ts";
import type { DueRunner } from "../../database/due.ts";
import { messageOf, UnavailableError } from "../../lib/errors.ts";
import type { RampContext } from "../engine.ts";
import { takePayoutNotice } from "../payouts/news.ts";
import type { NewsSource, Notice } from "../ports.ts";
import { isFromSanctioned } from "../screening.ts";
import { findCursor, moveCursor } from "../store/news.ts";
import { takeCorrection } from "./corrections.ts";
import { takeDeposit } from "./deposits.ts";
import { takeOwnTransfer } from "./own-transfers.ts";
import { takeWire } from "./wires.ts";

/** Reads what banks and chains tell, and acts on it. */
export function newsReader(context: RampContext): DueRunner {
  return {
    name: "news of banks and chains",
    async run(signal) {
      let handled = 0;
      for (const source of context.ports.news) {
        for (let taken = -1; taken !== 0 && !signal?.aborted; handled += taken)
          taken = await readOnce(context, source);
      }
      return handled;
    },
  };
}

/** Takes what a source tells next. Returns how many notices that were; none when there is nothing or it cannot go on. */
async function readOnce(context: RampContext, source: NewsSource): Promise<number> {
  const { db, log } = context;
  const before = await findCursor(db, source.name);
  const page = await source.read(before).catch((error) => {
    log.warn(
      { source: source.name, reason: messageOf(error) },
      "a bank or chain tells no news; it is asked again",
    );
    return { notices: [], cursor: before };
  });
  const last = page.notices.at(-1);
  if (page.cursor === before || !last) return 0;
  let isWhole = true;
  for (const notice of page.notices.slice(0, -1))
    isWhole = (await takeAlone(context, source, notice)) && isWhole;
  // Read again as long as one of them could not be taken; the others know that they were told before.
  const goOn = (tx: Transaction) => moveCursor(tx, source.name, before, page.cursor);
  const isDone = await takeAlone(context, source, last, isWhole ? goOn : undefined);
  return isWhole && isDone ? page.notices.length : 0;
}

/** Handles a notice in a transaction of its own. Returns false when that failed, so that it has to be read again. */
async function takeAlone(
  context: RampContext,
  source: NewsSource,
  notice: Notice,
  andThen?: (tx: Transaction) => Promise<unknown>,
): Promise<boolean> {
  try {
    const isFrozen = await isFromSanctioned(context, notice);
    await context.db.transact(async (tx) => {
      await takeNotice(tx, { ...context, isFrozen }, source.name, notice);
      await andThen?.(tx);
    });
    return true;
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    context.log.error(
      { source: source.name, notice: notice.kind, reason: messageOf(error) },
      "news of a bank or chain could not be taken; they are read again until they can",
    );
    return false;
  }
}

function takeNotice(
  tx: Transaction,
  context: RampContext & { isFrozen: boolean },
  source: string,
  notice: Notice,
): Promise<void> {
  switch (notice.kind) {
    case "wire_received":
      return takeWire(tx, context, source, notice);
    case "deposit_seen":
    case "deposit_final":
    case "deposit_gone":
      return takeDeposit(tx, context, notice);
    case "payout_settled":
    case "payout_failed":
    case "payout_returned":
      return takePayoutNotice(tx, context, notice);
    case "own_transfer":
      return takeOwnTransfer(tx, notice);
    case "account_corrected":
      return takeCorrection(tx, context, notice);
  }
}
