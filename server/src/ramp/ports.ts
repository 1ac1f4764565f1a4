import type { Cents, PriceE18, Units } from "../lib/money.ts";
import type { Rail } from "./step.ts";
import type { PayoutId, Token } from "./transaction.ts";

/** A bank account that money is sent to. */
export type BankDestination = {
  routingNumber: string;
  accountNumber: string;
  accountType: "checking" | "savings";
  holderName: string;
  /** A firm's account: it takes another kind of ACH entry than a person's. */
  isBusiness?: true;
};

/** Money to hand over to a rail. Whoever gets the same `reference` again must not pay again. */
export type PayoutInstruction =
  | {
      reference: PayoutId;
      rail: "ach" | "wire";
      cents: Cents;
      to: BankDestination;
      /** What the receiver reads. */
      memo: string;
    }
  | { reference: PayoutId; rail: "chain"; token: Token; units: Units; to: string }
  /** Sends a wire back to the account it came from, known to the bank by its own reference of that wire. */
  | { reference: PayoutId; rail: "wire"; cents: Cents; returns: { bankReference: string } };

/** What a rail says to an instruction: taken, with the rail's own reference, or refused for good. */
export type Submission =
  | { outcome: "accepted"; trace: string }
  | { outcome: "refused"; why: string };

/** Takes money out. Throws when it cannot be reached: then nobody knows, and `find` is asked before trying again. */
export type PayoutRail = {
  submit(instruction: PayoutInstruction): Promise<Submission>;
  /** What became of an instruction; nothing when it never arrived. */
  find(reference: PayoutId): Promise<Submission | undefined>;
};

/** News from a bank or a chain. Each may come late, twice, or before something that happened earlier. */
export type Notice =
  | {
      kind: "wire_received";
      /** The bank's own id of the wire: unique at this bank. */
      bankReference: string;
      cents: Cents;
      senderName: string;
      senderAccount: string;
      /** Every text field of the wire, in which a reference may stand. */
      texts: readonly string[];
      at: number;
    }
  | { kind: "payout_settled"; reference: PayoutId; trace: string | null; at: number }
  | { kind: "payout_failed"; reference: PayoutId; why: string; at: number }
  /** `code` is R01–R85 for ACH, or a word of the wire's bank. */
  | { kind: "payout_returned"; reference: PayoutId; code: string; at: number }
  | {
      kind: "deposit_seen" | "deposit_final" | "deposit_gone";
      blockchain: string;
      transactionHash: string;
      logIndex: number;
      /** Ours, to which it came, and the sender's. */
      address: string;
      fromAddress: string;
      /** Symbol of a token we know by its contract; others are not told. */
      currency: string;
      units: Units;
      blockTime: number;
      at: number;
    }
  /** What a transaction of our own moved between our addresses on a chain, and paid for it. */
  | {
      kind: "own_transfer";
      blockchain: string;
      transactionHash: string;
      moves: readonly OwnMove[];
      at: number;
    }
  /** The receiver's bank corrected the account of an ACH payout, which it made all the same. */
  | {
      kind: "account_corrected";
      reference: PayoutId;
      /** C01–C07, C13. */
      code: string;
      corrected: Partial<Pick<BankDestination, "routingNumber" | "accountNumber" | "accountType">>;
      at: number;
    };

/** `hot` pays out, `unswept` are the deposit addresses, `gas` is gone. */
export type OwnMove = {
  currency: string;
  units: Units;
  from: "hot" | "unswept";
  to: "hot" | "unswept" | "gas";
};

/** Where news come from: a bank, or a chain. `after` names the last one that was taken. */
export type NewsSource = {
  name: string;
  read(after: string | null): Promise<{ notices: readonly Notice[]; cursor: string | null }>;
};

/** What others say that we own, to be compared with our books. Notices that were not read yet count as not there. */
type OutsideBooks = {
  /** After everything told up to these cursors of the sources. */
  balances(): Promise<readonly { account: string; balance: bigint }[]>;
};

/** The newest price we know, without asking anybody. Nothing when there is none that can be trusted. */
export type Prices = {
  current(
    token: Pick<Token, "symbol">,
  ): { priceE18: PriceE18; sources: readonly string[] } | undefined;
};

export type Verdict = "clear" | "sanctioned";

/** Whether we may deal with somebody. Throws when nobody answers; then money is held, never let through. */
export type Screening = {
  person(name: string): Promise<Verdict>;
  wallet(blockchain: string, address: string): Promise<Verdict>;
};

/** Addresses for deposits, a new one for each `index`. No private key is involved. */
export type DepositAddresses = {
  at(blockchain: string, index: number): string;
};

/** Everything outside that the ramp talks to. Each has a twin in the sandbox. */
export type Ports = {
  /** Whether money can go out and come in on a blockchain. */
  serves(blockchain: string): boolean;
  rails: Readonly<Record<Rail, PayoutRail>>;
  news: readonly NewsSource[];
  books: OutsideBooks;
  prices: Prices;
  screening: Screening;
  depositAddresses: DepositAddresses;
};
