import { hash } from "node:crypto";
import type { Transaction } from "../../../database/database.ts";
import type { DueRunner } from "../../../database/due.ts";
import { messageOf } from "../../../lib/errors.ts";
import { newId } from "../../../lib/ids.ts";
import { asCents } from "../../../lib/money.ts";
import { BadFile, type FileExchange } from "../file-exchange.ts";
import { messageKindOf } from "../iso20022/message-kind.ts";
import { achKindOf } from "../nacha/file-kind.ts";
import { type FileFormat, insertBankFile, markFile } from "../store/bank-files.ts";
import { findIncomingFile, type IncomingFile, lockIncoming } from "../store/incoming-files.ts";
import { tellNotices } from "../store/notices.ts";
import type { BankContext } from "./bank-profile.ts";
import type { Reading } from "./reading.ts";
import { acknowledgementEnding, readAcknowledgement } from "./take-acknowledgement.ts";
import { readNotification } from "./take-notifications.ts";
import { readReturns } from "./take-returns.ts";
import { readStatement } from "./take-statement.ts";
import { readStatuses } from "./take-statuses.ts";

/** What became of a file of the bank's; `problem` says in words what is wrong with it. */
export type TakenFile = IncomingFile & {
  /** Whether it came for the first time. */
  isNew: boolean;
};

type TakerContext = BankContext & {
  exchange: FileExchange;
  /** How long to wait before looking again when there was nothing. */
  everyMs?: number;
};

type GivenFile = { name: string; bytes: Buffer };

const bytesMost = 20_000_000;
const problemLengthMost = 2_000;

/** Looks every few seconds whether the bank left files for us, and takes them in. */
export function fileTaker(context: TakerContext): DueRunner {
  const { clock, everyMs = 5_000 } = context;
  let nextAt = Number.NEGATIVE_INFINITY;
  return {
    name: "files of the bank",
    async run(signal) {
      if (clock.now() < nextAt) return 0;
      const { handled } = await takeWhatIsThere(context, signal);
      // Where there was something, more may have come meanwhile.
      nextAt = handled > 0 ? clock.now() : clock.now() + everyMs;
      return handled;
    },
  };
}

/** How many files were taken in, and whether none is left that was there. */
type Taking = { handled: number; isAll: boolean };

/**
 * Takes in the files that the bank left for us, each in one transaction, and sets them aside. Whoever dies in between
 * leaves a file that is known, and only has to be set aside.
 */
export async function takeWhatIsThere(
  context: TakerContext,
  signal: AbortSignal | undefined,
): Promise<Taking> {
  const { exchange, log } = context;
  const names = await exchange.list().catch((error) => {
    log.warn(
      { reason: messageOf(error) },
      "the place where the bank leaves files cannot be reached; it is tried again",
    );
    return undefined;
  });
  let handled = 0;
  for (const name of names ?? []) {
    if (signal?.aborted) break;
    if (await isTakenOut(context, name)) handled++;
  }
  return { handled, isAll: handled === names?.length };
}

/** Whether it is done with. One that cannot be fetched or kept is tried again, and does not hold up the others. */
async function isTakenOut(context: TakerContext, name: string): Promise<boolean> {
  try {
    await takeOut(context, name);
    return true;
  } catch (error) {
    context.log.warn(
      { file: name, reason: messageOf(error) },
      "a file of the bank could not be taken in; it stays where it is and is tried again",
    );
    return false;
  }
}

async function takeOut(context: TakerContext, name: string): Promise<void> {
  const { exchange, db, log } = context;
  const bytes = await exchange.get(name);
  if (bytes.length > bytesMost) {
    log.error(
      { file: name, bytes: bytes.length },
      "a file of the bank is too large and was set aside unread; ask the bank to send it in parts",
    );
  } else {
    const taken = await db.transact((tx) => takeFile(tx, context, { name, bytes }));
    sayWhatBecame(context, name, taken);
  }
  await exchange.setAside(name);
}

function sayWhatBecame({ log }: BankContext, file: string, taken: TakenFile): void {
  const { state, problem, isNew } = taken;
  if (!isNew) return;
  if (state === "refused") {
    log.error(
      { file, problem },
      "a file of the bank makes no sense and was refused as a whole: nothing in it was booked; ask the bank for a right one",
    );
  } else if (problem !== null) {
    log.error(
      { file, problem },
      "a file of the bank was taken in, but something in it has to be looked at by a person",
    );
  } else {
    log.info({ file }, "a file of the bank was taken in");
  }
}

/** Takes in one file of the bank's: keeps it, and tells the ramp what it says. The same file again changes nothing. */
export async function takeFile(
  tx: Transaction,
  context: BankContext,
  file: GivenFile,
): Promise<TakenFile> {
  await lockIncoming(tx);
  const known = await findIncomingFile(tx, file.name, hash("sha256", file.bytes, "buffer"));
  if (known) return { ...known, isNew: false };
  const format = formatOf(file);
  const reading = await read(tx, context, file, format).catch((error: unknown) => {
    if (error instanceof BadFile) return error;
    throw error;
  });
  return reading instanceof BadFile
    ? refuse(tx, context, file, format, reading.message)
    : keep(tx, context, file, reading);
}

async function refuse(
  tx: Transaction,
  context: BankContext,
  { name, bytes: content }: GivenFile,
  format: FileFormat,
  why: string,
): Promise<TakenFile> {
  const id = newId("fil", context.random);
  const problem = sentenceOf(why);
  const at = new Date(context.clock.now());
  await insertBankFile(tx, context, {
    ...{ id, direction: "in", format, name, content, state: "refused", problem, at },
    ...{ entries: 0, cents: asCents(0n) },
  });
  return { state: "refused", problem, isNew: true };
}

/** Keeps what the bank sent and tells the ramp what it says, together. */
export async function keep(
  tx: Transaction,
  context: BankContext,
  { name, bytes: content }: GivenFile,
  { format, entries, cents, take }: Reading,
): Promise<TakenFile> {
  const id = newId("fil", context.random);
  const at = new Date(context.clock.now());
  const state = "taken";
  const file = { id, direction: "in", format, name, content, state, entries, cents, at } as const;
  await insertBankFile(tx, context, file);
  const { notices, problems } = await take(tx, id);
  const problem = sentenceOf(problems.join("; ")) || null;
  if (problem !== null) await markFile(tx, id, { state, problem, at });
  await tellNotices(tx, context, "bank", notices);
  return { state, problem, isNew: true };
}

/** Not too long to be read, and without what no database takes. */
const sentenceOf = (text: string) => text.replace(/\p{Cc}/gu, " ").slice(0, problemLengthMost);

function formatOf({ name, bytes }: GivenFile): FileFormat {
  if (name.endsWith(acknowledgementEnding)) return "acknowledgement";
  const kind = achKindOf(bytes);
  if (kind !== undefined) return kind === "returns" ? "nacha_return" : "nacha";
  return messageKindOf(bytes) ?? "unknown";
}

async function read(
  tx: Transaction,
  context: BankContext,
  file: GivenFile,
  format: FileFormat,
): Promise<Reading> {
  switch (format) {
    case "nacha_return":
      return readReturns(tx, context, file.bytes);
    case "pacs.002":
    case "pain.002":
      return readStatuses(context, format, file.bytes);
    case "camt.054":
      return readNotification(context, file.bytes);
    case "camt.053":
      return readStatement(context, file.bytes);
    case "acknowledgement":
      return readAcknowledgement(tx, context, file);
    case "nacha":
    case "pain.001":
      throw new BadFile(format, "carries payments, which only we send");
    default:
      throw new BadFile("the file", "is nothing that we know how to read");
  }
}
