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

/** The controls of the sandbox: its time, its bank and its chain. */
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
};

/** Makes the sandbox's side of the client. */
export function sandboxClient({ get, post }: Transport): SandboxClient {
  const path = (name: string) => pathOf("sandbox", name);
  return {
    clock: (options) => get(path("clock"), options),
    advanceClock: (advanceSeconds, options) => post(path("clock"), { advanceSeconds }, options),
    wire: (wire, options) => post(path("wires"), wire, options),
    deposit: (deposit, options) => post(path("deposits"), deposit, options),
    achReturn: (achReturn, options) => post(path("ach-returns"), achReturn, options),
    statement: (options) => post(path("statements"), {}, options),
    reorg: (reorg, options) => post(path("reorgs"), reorg, options),
    verify: (verification, options) => post(path("verification"), verification, options),
  };
}
