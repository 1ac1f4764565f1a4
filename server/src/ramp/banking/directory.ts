import type { Queryable } from "../../database/database.ts";
import type { PostalAddress } from "../store/bank-accounts.ts";
import {
  type DirectoryImport,
  type DirectoryKind,
  findParticipant,
  listImports,
  type Participant,
} from "../store/routing-directory.ts";
import type { SettlementMethod } from "../transaction.ts";
import { findKnownBank } from "./known-banks.ts";

export type Bank = { name: string; address: PostalAddress };

/** Of which nobody has told us the name. */
export const unknownBank: Bank = {
  name: "UNKNOWN",
  address: { line1: "", line2: null, city: "", province: "", country: "UNITED_STATES" },
};

/** How old a directory may be to say that a number is no bank's. */
const freshMs = 30 * 24 * 3_600_000;

const kindOf: Record<SettlementMethod, DirectoryKind> = { ACH: "ach", WIRE: "wire" };

/** The bank with this routing number; nothing when there surely is none. */
export async function findBank(
  db: Queryable,
  routingNumber: string,
  at: Date,
): Promise<Bank | undefined> {
  const imports = await listImports(db);
  const participant =
    (await participantIn(db, imports, "ach", routingNumber)) ??
    (await participantIn(db, imports, "wire", routingNumber));
  if (participant) return bankOf(participant);
  // Every bank that keeps accounts is in the list for ACH; the one for wires has less than half of them.
  return isFresh(imports, "ach", at) ? undefined : unknownBank;
}

/** Whether the bank with this number can be paid that way, as far as anybody knows. */
export async function canReceive(
  db: Queryable,
  routingNumber: string,
  method: SettlementMethod,
  at: Date,
): Promise<boolean> {
  const kind = kindOf[method];
  const imports = await listImports(db);
  const participant = await participantIn(db, imports, kind, routingNumber);
  return participant ? participant.isEligible : !isFresh(imports, kind, at);
}

/** Whether a directory of that day is new enough to say that a number is no bank's. */
export function isFreshOn(publishedOn: string, at: Date): boolean {
  return at.getTime() - Date.parse(publishedOn) <= freshMs;
}

/** A list that was imported stands for itself; without one there are the banks that everybody knows. */
function participantIn(
  db: Queryable,
  imports: readonly DirectoryImport[],
  kind: DirectoryKind,
  routingNumber: string,
): Promise<Participant | undefined> {
  const isImported = imports.some((each) => each.kind === kind);
  return isImported
    ? findParticipant(db, kind, routingNumber)
    : Promise.resolve(findKnownBank(kind, routingNumber));
}

function isFresh(imports: readonly DirectoryImport[], kind: DirectoryKind, at: Date): boolean {
  const publishedOn = imports.find((each) => each.kind === kind)?.publishedOn;
  return publishedOn !== undefined && isFreshOn(publishedOn, at);
}

function bankOf({ name, street, city, state }: Participant): Bank {
  return { name, address: { ...unknownBank.address, line1: street, city, province: state } };
}
