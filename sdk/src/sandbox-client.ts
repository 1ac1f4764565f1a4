import { type PostOptions, pathOf, type Transport } from "./transport.ts";

/** What a control of the sandbox did. */
export type SandboxEffect = Record<string, unknown>;

export type SandboxWire = {
  /** Whose reference stands on the wire. */
  transactionId?: string;
  /** Or any text instead. */
  reference?: string;
  amountUsd: string;
  /** The account holder's when left out. */
  senderName?: string;
  userId?: string;
};

export type SandboxDeposit = {
  transactionId: string;
  quantity: string;
  /** The transaction's when left out. */
  currency?: string;
  /** The registered wallet's when left out. */
  fromAddress?: string;
  userId?: string;
};

/** The controls of the sandbox: its time, its bank and its chain. */
export type SandboxClient = {
  clock(): Promise<{ now: string }>;
  /** Does everything that falls due on the way. */
  advanceClock(advanceSeconds: number, options?: PostOptions): Promise<{ now: string }>;
  wire(wire: SandboxWire, options?: PostOptions): Promise<SandboxEffect>;
  deposit(deposit: SandboxDeposit, options?: PostOptions): Promise<SandboxEffect>;
  achReturn(
    achReturn: { transactionId: string; code: string; userId?: string },
    options?: PostOptions,
  ): Promise<SandboxEffect>;
  /** Takes a deposit back that is not final yet. */
  reorg(
    reorg: { transactionId: string; userId?: string },
    options?: PostOptions,
  ): Promise<SandboxEffect>;
  verify(
    verification: { userId: string; status: string },
    options?: PostOptions,
  ): Promise<SandboxEffect>;
};

/** Makes the sandbox's side of the client. */
export function sandboxClient({ get, post }: Transport): SandboxClient {
  const path = (name: string) => pathOf("sandbox", name);
  return {
    clock: () => get(path("clock")),
    advanceClock: (advanceSeconds, options) => post(path("clock"), { advanceSeconds }, options),
    wire: (wire, options) => post(path("wires"), wire, options),
    deposit: (deposit, options) => post(path("deposits"), deposit, options),
    achReturn: (achReturn, options) => post(path("ach-returns"), achReturn, options),
    reorg: (reorg, options) => post(path("reorgs"), reorg, options),
    verify: (verification, options) => post(path("verification"), verification, options),
  };
}
