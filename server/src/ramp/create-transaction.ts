import { requireVerified } from "../accounts/verification.ts";
import { enterWall, leaveWall } from "../accounts/wall.ts";
import type { Transaction } from "../database/database.ts";
import { addOpenDays, newYorkDay, newYorkTime } from "../lib/calendar.ts";
import type { Clock } from "../lib/clock.ts";
import { CallerError, UnavailableError } from "../lib/errors.ts";
import { isId, newId } from "../lib/ids.ts";
import { asCents, asUnits, type Cents, formatCents, formatDecimal } from "../lib/money.ts";
import type { Random } from "../lib/random.ts";
import type { Sealer } from "../lib/seal.ts";
import { canReceive } from "./banking/directory.ts";
import { createRamp } from "./engine.ts";
import type { TransactionRequest } from "./new-transaction.ts";
import { depositWaitMs, priceLockMs, wireWaitBusinessDays } from "./policy.ts";
import type { Ports } from "./ports.ts";
import { type PricedOrders, priceOrders } from "./quote.ts";
import { newReference } from "./references.ts";
import type { RampSettings } from "./settings.ts";
import { findBankAccount, type StoredBankAccount } from "./store/bank-accounts.ts";
import { loadCalendar } from "./store/calendars.ts";
import { feeFor } from "./store/fees.ts";
import { findKillSwitches } from "./store/kill-switches.ts";
import { nextDepositIndex, readQuote } from "./store/new-transactions.ts";
import { type UsableQuote, useQuote } from "./store/quotes.ts";
import { findWallet, type StoredWallet } from "./store/wallets.ts";
import type { Ramp, SettlementMethod } from "./transaction.ts";

/** What is needed to create a transaction. */
export type CreateContext = {
  clock: Clock;
  random: Random;
  sealer: Sealer;
  /** Nothing: there is no bank and no chain to work with. */
  ports: Ports | undefined;
  settings: Pick<RampSettings, "transactionLimitUsd">;
};

/** What a transaction is created at: both quantities, the price and the fee. */
type Terms = PricedOrders &
  Pick<Ramp, "feeCents" | "priceSources"> & { priceE18: NonNullable<Ramp["priceE18"]> };

/** Creates a transaction for an account, or says why there cannot be one. */
export async function createTransaction(
  tx: Transaction,
  context: CreateContext,
  userId: string,
  request: TransactionRequest,
): Promise<Ramp> {
  const now = context.clock.now();
  await requireVerified(tx, userId);
  await enterWall(tx, userId);
  const [wallet, bankAccount] = await bothOrFaults(
    () => walletOf(tx, userId, request),
    // What comes in by wire may come from any account; only what we send must be able to arrive.
    () =>
      usableBankAccount(tx, context, {
        userId,
        bankAccountId: request.bankAccountId,
        receives: request.type === "OFF_RAMP" ? request.settlementMethod : null,
        now,
      }),
  );
  await leaveWall(tx);
  const ports = await openPorts(tx, context, request);
  const terms = await termsOf(tx, { ...context, ports }, userId, request, now);
  const ramp = await draft(tx, { ...context, ports }, { request, wallet, bankAccount, terms, now });
  const created = await createRamp(tx, context, ramp);
  if (request.quoteId !== null) await takeQuote(tx, userId, request.quoteId, ramp.id, now);
  return created;
}

/** A bank account of this user that money can be sent to, or an error that says why it cannot. */
export async function usableBankAccount(
  tx: Transaction,
  { sealer }: { sealer: Sealer },
  wanted: {
    userId: string;
    bankAccountId: string;
    receives: SettlementMethod | null;
    now: number;
  },
): Promise<StoredBankAccount> {
  const { userId, bankAccountId, receives, now } = wanted;
  if (!isId("bac", bankAccountId)) throw unknownId("bankAccountId", "bac");
  const account = await findBankAccount(tx, { sealer }, userId, bankAccountId);
  if (!account) throw refused(`bankAccountId ${bankAccountId} was not found`);
  if (account.stoppedCode !== null) {
    throw refused(`bankAccountId ${bankAccountId} was stopped after return ${account.stoppedCode}`);
  }
  if (receives && !(await canReceive(tx, account.routingNumber, receives, new Date(now)))) {
    const kind = receives === "WIRE" ? "wires" : "ACH payments";
    throw refused(`bankAccountId ${bankAccountId} cannot receive ${kind}`);
  }
  return account;
}

async function walletOf(
  tx: Transaction,
  userId: string,
  { walletId, token }: TransactionRequest,
): Promise<StoredWallet> {
  if (!isId("wal", walletId)) throw unknownId("walletId", "wal");
  const wallet = await findWallet(tx, userId, walletId);
  if (!wallet) throw refused(`walletId ${walletId} was not found`);
  if (wallet.blockchain !== token.blockchain) {
    throw refused(
      `${walletId} is registered for ${wallet.blockchain}, not ${token.blockchain}; ` +
        `register the address for ${token.blockchain} first`,
    );
  }
  return wallet;
}

/** Both, or everything that is wrong with either in one error. */
async function bothOrFaults<One, Other>(
  one: () => Promise<One>,
  other: () => Promise<Other>,
): Promise<[One, Other]> {
  const [first] = await Promise.allSettled([one()]);
  const [second] = await Promise.allSettled([other()]);
  if (first.status === "fulfilled" && second.status === "fulfilled")
    return [first.value, second.value];
  const failures = [first, second].flatMap((end) =>
    end.status === "rejected" ? [end.reason] : [],
  );
  const stranger = failures.find((failure) => !(failure instanceof CallerError));
  if (stranger !== undefined) throw stranger;
  const [message = "", ...others] = failures.flatMap((failure: CallerError) => failure.messages);
  throw refused(message, ...others);
}

/** What we need outside, unless there is nothing or an operator has switched it off. */
async function openPorts(
  tx: Transaction,
  { ports }: CreateContext,
  { token: { symbol, blockchain } }: TransactionRequest,
): Promise<Ports> {
  if (!ports) {
    throw new UnavailableError(
      "Transactions cannot be created: this service is connected to no bank and no blockchain.",
      { retryAfterSeconds: 3_600 },
    );
  }
  if (!ports.serves(blockchain)) throw refused(`This service is not connected to ${blockchain}`);
  const [off] = await findKillSwitches(tx, [`token:${symbol}`, `blockchain:${blockchain}`]);
  if (off) {
    throw new UnavailableError(
      `New transactions in ${symbol} on ${blockchain} are paused by the operator.`,
      { retryAfterSeconds: 60 },
    );
  }
  return ports;
}

async function termsOf(
  tx: Transaction,
  { ports, settings }: { ports: Ports; settings: CreateContext["settings"] },
  userId: string,
  request: TransactionRequest,
  now: number,
): Promise<Terms> {
  const { quoteId } = request;
  if (quoteId !== null && !isId("quo", quoteId)) throw unknownId("quoteId", "quo");
  const quote = quoteId === null ? undefined : await readQuote(tx, userId, quoteId);
  const terms = quote
    ? quotedTerms(quote, request)
    : await currentTerms(tx, ports, request, new Date(now));
  const mostCents = limitOf(settings);
  if (mostCents !== null && exchangedCents(request, terms) > mostCents) {
    throw refused(
      `The transaction comes to ${formatCents(exchangedCents(request, terms))} USD, ` +
        `above the limit of ${formatCents(mostCents)} USD per transaction`,
    );
  }
  return terms;
}

async function currentTerms(
  tx: Transaction,
  ports: Ports,
  request: TransactionRequest,
  at: Date,
): Promise<Terms> {
  const { type, settlementMethod: method, token, units, cents, fields } = request;
  const price = ports.prices.current(token);
  if (!price) throw new UnavailableError(`There is no price of ${token.symbol} just now.`);
  const { priceE18, sources: priceSources } = price;
  const feeCents = await feeFor(tx, type, method, at);
  const priced = priceOrders({ type, method, token, priceE18, feeCents, units, cents, fields });
  if ("fault" in priced) throw new CallerError(priced.fault, ...priced.messages);
  return { ...priced, priceE18, priceSources, feeCents };
}

/** A quote holds for exactly what it was asked for. */
function quotedTerms(quote: UsableQuote, request: TransactionRequest): Terms {
  const { units, cents, priceE18, feeCents, symbol, blockchain, settlementMethod } = quote;
  const { token } = request;
  const isSame =
    quote.type === request.type &&
    settlementMethod === request.settlementMethod &&
    symbol === token.symbol &&
    blockchain === token.blockchain &&
    (request.units ?? units) === units &&
    (request.cents ?? cents) === cents;
  if (!isSame) {
    const crypto = `${formatDecimal(units, token.decimals)} ${symbol} on ${blockchain}`;
    throw refused(
      `quoteId ${quote.id} is of another transaction: ${quote.type} of ${crypto} for ` +
        `${formatCents(cents)} USD by ${settlementMethod}`,
    );
  }
  const fee = quote.type === "OFF_RAMP" ? feeCents : -feeCents;
  const terms = { units, cents, grossCents: asCents(cents + fee), priceE18, feeCents };
  return quote.priceSources ? { ...terms, priceSources: quote.priceSources } : terms;
}

async function takeQuote(
  tx: Transaction,
  userId: string,
  quoteId: string,
  transactionId: string,
  now: number,
): Promise<void> {
  const quote = await useQuote(tx, userId, quoteId, transactionId, now);
  if (quote === "unknown") throw refused(`quoteId ${quoteId} was not found`);
  if (quote === "expired") {
    throw new CallerError("unprocessable", `quoteId ${quoteId} has expired; ask for a new quote`);
  }
  if (quote === "used") {
    throw new CallerError("conflict", `quoteId ${quoteId} was used for another transaction`);
  }
}

type Draft = {
  request: TransactionRequest;
  wallet: StoredWallet;
  bankAccount: StoredBankAccount;
  terms: Terms;
  now: number;
};

async function draft(
  tx: Transaction,
  context: { random: Random; ports: Ports; settings: CreateContext["settings"] },
  { request, wallet, bankAccount, terms, now }: Draft,
): Promise<Ramp> {
  const { random, ports, settings } = context;
  const { token } = request;
  const { symbol, blockchain, decimals, isStablecoin, leastUnits, mostUnits } = token;
  const common = {
    id: newId("txn", random),
    userId: wallet.userId,
    settlementMethod: request.settlementMethod,
    sourceOrderId: newId("ord", random),
    destinationOrderId: newId("ord", random),
    walletId: wallet.id,
    walletAddress: wallet.address,
    bankAccountId: bankAccount.id,
    token: { symbol, blockchain, decimals },
    isStablecoin,
    askedUnits: request.units,
    askedCents: request.cents,
    cents: terms.cents,
    priceE18: terms.priceE18,
    ...(terms.priceSources && { priceSources: terms.priceSources }),
    feeCents: terms.feeCents,
    heldUnits: asUnits(0n),
    heldCents: asCents(0n),
    leastUnits,
    mostUnits,
    mostCents: limitOf(settings),
    reason: null,
    cleared: [],
    deadlineAt: null,
    payoutId: null,
    payoutCount: 0,
    payoutAmount: null,
    trace: null,
    settlement: null,
    isSettled: false,
    isLate: false,
    createdAt: now,
    updatedAt: now,
    flaggedAt: null,
    completedAt: null,
    version: 0,
  } as const;
  if (request.type === "ON_RAMP") {
    const calendar = await loadCalendar(tx, "WIRE");
    const lastDay = addOpenDays(calendar, newYorkDay(now), wireWaitBusinessDays);
    return {
      ...common,
      type: "ON_RAMP",
      state: "AWAITING_FUNDS",
      // A wire takes days: what it buys of a token whose price moves is known when it is here.
      units: isStablecoin ? terms.units : null,
      reference: newReference(random),
      wireId: null,
      expiresAt: newYorkTime(lastDay, 24),
    };
  }
  const depositIndex = await nextDepositIndex(tx);
  return {
    ...common,
    type: "OFF_RAMP",
    state: "AWAITING_DEPOSIT",
    units: terms.units,
    depositAddress: ports.depositAddresses.at(blockchain, depositIndex),
    depositIndex,
    lockedUntil: now + priceLockMs,
    expiresAt: now + depositWaitMs,
    deposits: {},
    depositedAt: null,
    grossCents: null,
    isFeeEarned: false,
  };
}

/** The dollars that change hands: what the customer wires, or what the crypto is sold for. */
function exchangedCents({ type }: TransactionRequest, { cents, grossCents }: PricedOrders): Cents {
  return type === "ON_RAMP" ? cents : grossCents;
}

function limitOf({ transactionLimitUsd }: CreateContext["settings"]): Cents | null {
  return transactionLimitUsd === undefined ? null : asCents(BigInt(transactionLimitUsd) * 100n);
}

function refused(message: string, ...others: string[]): CallerError {
  return new CallerError("bad_request", message, ...others);
}

/** What has not the form of an id is not repeated. */
function unknownId(field: string, prefix: string): CallerError {
  return refused(`${field} was not found: ids look like ${prefix}-123`);
}
