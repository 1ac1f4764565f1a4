import type { VerificationStatus } from "./ramp-shapes.ts";
import { type CallOptions, type PostOptions, pathOf, type Transport } from "./transport.ts";

export type NewSandboxWire = {
  /** Whose reference stands on the wire. */
  transactionId?: string;
  /** Or any text instead. */
  reference?: string;
  amountUsd: string;
  /** The account holder's when left out. */
  senderName?: string;
};

export type SandboxWire = {
  bankReference: string;
  amountUsd: string;
  senderName: string;
  reference: string | null;
};

export type NewSandboxDeposit = {
  transactionId: string;
  quantity: string;
  /** The transaction's when left out. */
  currency?: string;
  /** The registered wallet's when left out. */
  fromAddress?: string;
};

export type SandboxDeposit = {
  transactionHash: string;
  blockchain: string;
  currency: string;
  quantity: string;
  address: string;
  fromAddress: string;
};

/** A return code is R01 to R85. */
export type SandboxReturn = { transactionId: string; code: string };

/** What happened on the ramp's account at the sandbox's bank since the statement before. */
export type SandboxStatement = {
  id: string;
  from: string;
  to: string;
  openingUsd: string;
  closingUsd: string;
  /** How many lines are on it. */
  lines: number;
};

/** Something that goes wrong at the sandbox's exchange. */
export type SandboxFault = {
  /** Such as `dropTrades`; the reference lists them all. */
  kind: string;
  /** On this market only, such as `BTC/USD`. */
  symbol?: string;
  /** How often; until it is removed when left out. */
  count?: number;
  /** Of `slow`. */
  delayMs?: number;
};

/** The faults that are on, and how often each kind has happened. */
export type SandboxFaults = { faults: SandboxFault[]; happened: Record<string, number> };

/** The controls of the sandbox: its time, its bank, its chain and its exchange. */
export type SandboxClient = {
  clock(options?: CallOptions): Promise<{ now: string }>;
  /** Does everything that falls due on the way. */
  advanceClock(advanceSeconds: number, options?: PostOptions): Promise<{ now: string }>;
  wire(wire: NewSandboxWire, options?: PostOptions): Promise<SandboxWire>;
  deposit(deposit: NewSandboxDeposit, options?: PostOptions): Promise<SandboxDeposit>;
  achReturn(
    achReturn: SandboxReturn,
    options?: PostOptions,
  ): Promise<SandboxReturn & { payoutId: string }>;
  /** Lets the bank write a statement now, not only in the evening. */
  statement(options?: PostOptions): Promise<SandboxStatement>;
  /** Takes deposits back that are not final yet. */
  reorg(
    reorg: { transactionId: string },
    options?: PostOptions,
  ): Promise<{ transactionHashes: string[] }>;
  verify(
    verification: { userId: string; status: VerificationStatus },
    options?: PostOptions,
  ): Promise<{ userId: string; status: VerificationStatus }>;
  faults: {
    list(options?: CallOptions): Promise<SandboxFaults>;
    /** Puts these in the place of those that are on. */
    set(faults: SandboxFault[], options?: PostOptions): Promise<SandboxFaults>;
    clear(options?: CallOptions): Promise<SandboxFaults>;
  };
};

/** Makes the sandbox's side of the client. */
export function sandboxClient(transport: Transport): SandboxClient {
  const { get, post } = transport;
  const path = (...parts: string[]) => pathOf("sandbox", ...parts);
  const faults = path("exchange", "faults");
  return {
    clock: (options) => get(path("clock"), options),
    advanceClock: (advanceSeconds, options) => post(path("clock"), { advanceSeconds }, options),
    wire: (wire, options) => post(path("wires"), wire, options),
    deposit: (deposit, options) => post(path("deposits"), deposit, options),
    achReturn: (achReturn, options) => post(path("ach-returns"), achReturn, options),
    statement: (options) => post(path("statements"), {}, options),
    reorg: (reorg, options) => post(path("reorgs"), reorg, options),
    verify: (verification, options) => post(path("verification"), verification, options),
    faults: {
      list: (options) => get(faults, options),
      set: (wanted, options) => post(faults, { faults: wanted }, options),
      clear: (options) => transport.delete(faults, options),
    },
  };
}
