import type { Cents } from "../../../lib/money.ts";

/** An account in the United States, and whose it is. */
export type WireParty = { name: string; routingNumber: string; accountNumber: string };

/** A wire to send. */
export type WireOrder = {
  /** The payout's id, up to 35 characters: it comes back in every answer. */
  endToEndId: string;
  cents: Cents;
  creditor: WireParty;
  /** What the receiver reads, up to 140 characters. */
  remittance: string;
};

/** What pain.001 carries: wires from one account, on one day. */
export type WireFile = {
  /** Up to 35 characters, unique at the bank. */
  messageId: string;
  /** 2026-11-16T17:00:00.000Z */
  createdAt: string;
  /** New York's day on which they are to go out. */
  executionOn: string;
  debtor: WireParty;
  orders: readonly WireOrder[];
};

/** What pacs.002 or pain.002 says about a wire: gone out, still on its way, or not taken. */
export type WireStatus = {
  endToEndId: string;
  outcome: "settled" | "pending" | "rejected";
  /** The code as it came: ACSC, ACSP, RJCT, … */
  code: string;
  /** Why it was rejected: AC04 and what the bank adds. */
  reason: string | null;
  /** What the network calls the wire (IMAD), if it is told. */
  networkReference: string | null;
};

/** What pacs.002 or pain.002 says about all wires of a file at once: mostly that the file was refused as a whole. */
export type WireGroupStatus = Pick<WireStatus, "outcome" | "code" | "reason">;

/** An answer to a file of wires. What is said of one wire goes before what is said of all. */
export type WireStatusReport = {
  messageId: string;
  originalMessageId: string;
  createdAt: string;
  group?: WireGroupStatus;
  statuses: readonly WireStatus[];
};

/** A line of a bank's notification (camt.054) or statement (camt.053). */
export type BankLine = {
  /** The bank's own reference of it: unique at the bank among the credits that take nothing back. */
  reference: string;
  direction: "credit" | "debit";
  cents: Cents;
  /** Whether it takes back an earlier line. */
  isReversal: boolean;
  /** Unix milliseconds. */
  bookedAt: number;
  /** Ours, where the bank passes it on: a payout's id, or a file's name for the sum of a batch. */
  endToEndId: string | null;
  /** Who sent it to us, or got it. What the bank does not tell of them is empty, such as a routing number abroad. */
  counterparty: WireParty | null;
  /** Why a payment came back: AC04, … */
  returnReason: string | null;
  /** Every text in which a reference may stand. */
  texts: readonly string[];
};

/** What a bank tells of an account as it happens: camt.054. */
export type BankNotification = {
  messageId: string;
  createdAt: string;
  /** Whose account it is about, where the bank says so. */
  accountNumber?: string;
  lines: readonly BankLine[];
};

/** What a bank says of an account at the end of a day: camt.053. */
export type BankStatement = {
  /** The bank's own id of the statement. */
  id: string;
  createdAt: string;
  accountNumber: string;
  /** Unix milliseconds. */
  from: number;
  to: number;
  /** Booked balances; negative is overdrawn. */
  openingCents: bigint;
  closingCents: bigint;
  lines: readonly BankLine[];
};
