import { type Static, Type } from "typebox";
import { bodyCheck } from "../../http/check.ts";
import { CallerError } from "../../lib/errors.ts";
import { markets } from "./market.ts";

/** Each fault, and what happens on one occasion of it. */
export const faultKinds = {
  dropBookChange: "a change of a book is not sent",
  repeatBookChange: "a change of a book is sent twice",
  swapBookChanges: "a change of a book is sent after the one that follows it",
  crossBook: "a bid above the best ask is sent, with the checksum of a book that has it",
  crossBookUnchecked:
    "a bid above the best ask is sent and never withdrawn; checksums do not know of it",
  wrongChecksum: "a change of a book is sent with a wrong checksum",
  dropTrades: "trades are not streamed; REST has them",
  repeatTrades: "trades are streamed twice",
  closeSockets: "all streams are cut",
  stall: "something is not sent on an open stream, be it a heartbeat or the answer to a ping",
  maintenance: "the exchange says that it is under maintenance, and REST is unavailable",
  tooManyRequests: "a REST request is answered with status 429",
  serverError: "a REST request is answered with status 503",
  slow: "a REST answer is late by `delayMs`",
  refuseConnections: "a REST request or a new stream is cut without an answer",
} as const;

/** What can go wrong. */
export type FaultKind = keyof typeof faultKinds;

const faultsMost = 100;
const sentencesMost = 20;
const kinds = Object.keys(faultKinds) as FaultKind[];
const symbols = new Set(markets.map(({ symbol }) => symbol));
const ofMarkets = new Set<FaultKind>([
  "dropBookChange",
  "repeatBookChange",
  "swapBookChanges",
  "crossBook",
  "crossBookUnchecked",
  "wrongChecksum",
  "dropTrades",
  "repeatTrades",
]);

const faultSchema = Type.Object(
  {
    kind: Type.Enum(kinds, { description: `must be one of ${kinds.join(", ")}` }),
    symbol: Type.Optional(
      Type.String({
        description: "must be a market of the exchange, such as BTC/USD; all of them without it",
      }),
    ),
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description:
          "must be a whole number from 1 to 1000000; without it the fault stays until it is removed",
      }),
    ),
    delayMs: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 600_000,
        description: "must be a whole number of milliseconds from 1 to 600000",
      }),
    ),
  },
  {
    additionalProperties: false,
    description: "must be an object with kind and, if need be, symbol, count and delayMs",
  },
);

/** A fault to be switched on. */
export type Fault = Static<typeof faultSchema>;

/** The body with which faults are set: they take the place of all that were. */
export const faultsSchema = Type.Object({
  faults: Type.Array(faultSchema, {
    maxItems: faultsMost,
    description: `must be a list of at most ${faultsMost} faults, each with a kind`,
  }),
});

/** The faults that are on, and how often each kind has happened since the start. */
export type Faults = { faults: Fault[]; happened: Record<FaultKind, number> };

const check = bodyCheck(faultsSchema);

/** Reads the body that sets faults; throws a `CallerError` that names what is wrong with each of them. */
export function readFaults(body: unknown): Fault[] {
  const { faults } = check(body) as Static<typeof faultsSchema>;
  const [first, ...rest] = faults.flatMap((fault, at) =>
    rulesBroken(fault).map(([field, rule]) => `faults.${at}.${field} ${rule}`),
  );
  if (first) throw new CallerError("bad_request", first, ...rest.slice(0, sentencesMost - 1));
  return faults;
}

/** Fields that do not go together, and the rule. */
function rulesBroken({ kind, symbol, delayMs }: Fault): [field: string, rule: string][] {
  const wrong: [string, string][] = [];
  if (symbol !== undefined && !ofMarkets.has(kind)) {
    wrong.push(["symbol", `must be left out: ${kind} concerns the whole exchange`]);
  } else if (symbol !== undefined && !symbols.has(symbol)) {
    wrong.push(["symbol", "must be a market of the exchange, such as BTC/USD"]);
  }
  if (kind === "slow" && delayMs === undefined)
    wrong.push(["delayMs", "must be there: it says how late answers are"]);
  if (kind !== "slow" && delayMs !== undefined)
    wrong.push(["delayMs", "must be left out: only slow has a delay"]);
  return wrong;
}

/** Decides when faults happen, and counts them. */
export class FaultDesk {
  #faults: Fault[] = [];
  readonly #happened = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<
    FaultKind,
    number
  >;

  /** Puts other faults in the place of all there are. */
  set(faults: readonly Fault[]): void {
    this.#faults = faults.map((fault) => ({ ...fault }));
  }

  get state(): Faults {
    return { faults: this.#faults.map((fault) => ({ ...fault })), happened: { ...this.#happened } };
  }

  isOn(kind: FaultKind): boolean {
    return this.#faults.some((fault) => fault.kind === kind);
  }

  /** An occasion for a fault: says which one happens now, if any. */
  take(kind: FaultKind, symbol?: string): Fault | undefined {
    const fault = this.#faults.find(
      (one) => one.kind === kind && (one.symbol === undefined || one.symbol === symbol),
    );
    if (!fault) return undefined;
    this.#happened[kind]++;
    if (fault.count !== undefined) {
      fault.count--;
      if (fault.count === 0) this.#faults = this.#faults.filter((one) => one !== fault);
    }
    return fault;
  }
}
