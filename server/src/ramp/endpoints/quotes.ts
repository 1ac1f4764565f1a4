import type { NewQuote, Quote } from "@slipway/sdk";
import { Type } from "typebox";
import { once } from "../../accounts/once.ts";
import { enterWall } from "../../accounts/wall.ts";
import type { Database, Transaction } from "../../database/database.ts";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import type { Clock } from "../../lib/clock.ts";
import { CallerError, UnavailableError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import {
  formatCents,
  formatDecimal,
  formatPrice,
  readQuantity,
  type Units,
} from "../../lib/money.ts";
import type { Random } from "../../lib/random.ts";
import type { Sealer } from "../../lib/seal.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { findToken, type SupportedToken } from "../assets.ts";
import { readBlockchain } from "../blockchains.ts";
import { priceLockMs } from "../policy.ts";
import type { Ports } from "../ports.ts";
import { type AskedOrders, methodFault, priceOrders, readCents, readUnits } from "../quote.ts";
import { settlementFor } from "../settlement.ts";
import { loadCalendar } from "../store/calendars.ts";
import { feeFor } from "../store/fees.ts";
import { insertQuote, type UsableQuote } from "../store/quotes.ts";
import type { Ramp, Settlement } from "../transaction.ts";

type QuoteContext = {
  db: Database;
  clock: Clock;
  random: Random;
  sealer: Sealer;
  /** Without it there are no prices. */
  ports: Pick<Ports, "prices" | "serves"> | undefined;
};

const text = Type.String();
const RampTypeSchema = Type.Union([Type.Literal("ON_RAMP"), Type.Literal("OFF_RAMP")], {
  description: "must be ON_RAMP or OFF_RAMP",
});
const MethodSchema = Type.Union([Type.Literal("ACH"), Type.Literal("WIRE")], {
  description: "must be ACH or WIRE",
});
/** Numbers are taken too, where none of their digits can have been lost. */
const QuantitySchema = Type.Unsafe<string>(
  Type.Union([Type.String(), Type.Number()], {
    description: 'must be a decimal string such as "12.5"',
  }),
);

const NewQuoteSchema = shapeOf<NewQuote>()(
  Type.Object({
    type: RampTypeSchema,
    settlementMethod: Type.Optional(MethodSchema),
    currency: Type.String({
      minLength: 1,
      maxLength: 20,
      description: "must be the symbol of a token, such as USDC",
    }),
    blockchain: Type.String({
      minLength: 1,
      maxLength: 40,
      description: "must be the name of a blockchain, such as ethereum",
    }),
    sourceQuantity: Type.Optional(QuantitySchema),
    destinationQuantity: Type.Optional(QuantitySchema),
    userId: Type.Optional(text),
  }),
);

const QuoteSchema = shapeOf<Quote>()(
  Type.Object({
    id: text,
    type: RampTypeSchema,
    settlementMethod: MethodSchema,
    currency: text,
    blockchain: text,
    sourceQuantity: text,
    destinationQuantity: text,
    priceUsd: text,
    feeUsd: text,
    estimatedSendDate: Type.Union([text, Type.Null()]),
    estimatedSettlementDate: Type.Union([
      Type.Object({ earliest: text, latest: text }),
      Type.Null(),
    ]),
    createdAt: text,
    expiresAt: text,
  }),
);

/** What a transaction would come to, before there is one. */
export function quoteEndpoints(context: QuoteContext): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/v2/ramp/quotes",
      family: "ramp",
      actsFor: "subaccounts",
      summary: "A price that holds for 15 minutes",
      description:
        "Give the quantity of the source or of the destination. A transaction that is created with the quote's id " +
        "keeps its price and fee. Buying a token that is no stablecoin is priced when the wire has arrived: " +
        "there a quote says what it would be now.",
      scope: "ramp:transactions:write",
      body: NewQuoteSchema,
      status: 201,
      response: QuoteSchema,
      handle({ body, caller, userId, idempotency }) {
        const asked = readNewQuote(body);
        return once(context, { caller, idempotency }, async (tx) => {
          const quote = await makeQuote(tx, context, asked);
          const settlement = await settlementOf(tx, quote);
          await enterWall(tx, userId);
          await insertQuote(tx, userId, quote);
          return presentQuote(quote, asked.token, settlement);
        });
      },
    }),
  ];
}

type AskedQuote = Omit<AskedOrders, "priceE18" | "feeCents">;

/** Reads what the schema cannot: names of tokens and blockchains, and quantities. All faults are named at once. */
function readNewQuote(body: NewQuote): AskedQuote {
  const { type } = body;
  const method = body.settlementMethod ?? (type === "OFF_RAMP" ? "ACH" : "WIRE");
  const fields = fieldsOf(type);
  const token = readToken(body);
  const quantity = readOneQuantity(body, fields, typeof token === "string" ? undefined : token);
  const fault = methodFault(type, method);
  if (fault !== undefined || typeof token === "string" || typeof quantity === "string") {
    const faults = [fault, token, quantity].filter((part) => typeof part === "string");
    const [first = "The request is not valid.", ...rest] = faults;
    throw new CallerError("bad_request", first, ...rest);
  }
  return { type, method, token, ...quantity, fields };
}

/** Of a sale the source is the token, of a purchase the destination. */
function fieldsOf(type: Ramp["type"]): AskedOrders["fields"] {
  return type === "OFF_RAMP"
    ? { units: "sourceQuantity", cents: "destinationQuantity" }
    : { units: "destinationQuantity", cents: "sourceQuantity" };
}

/** The token, or what is wrong in words. */
function readToken({ currency, blockchain: name }: NewQuote): SupportedToken | string {
  const blockchain = readBlockchain(name);
  if (!blockchain) return `blockchain ${JSON.stringify(name)} is not supported`;
  return (
    findToken(currency, blockchain) ??
    `currency ${JSON.stringify(currency)} is not supported on ${blockchain}`
  );
}

/** The one quantity that is given, or what is wrong in words. Of an unknown token only the form can be checked. */
function readOneQuantity(
  { type, sourceQuantity, destinationQuantity }: NewQuote,
  fields: AskedOrders["fields"],
  token: SupportedToken | undefined,
): Pick<AskedOrders, "units" | "cents"> | string {
  if (sourceQuantity === undefined && destinationQuantity === undefined)
    return "Required field is missing: sourceQuantity or destinationQuantity";
  if (sourceQuantity !== undefined && destinationQuantity !== undefined)
    return "sourceQuantity and destinationQuantity must not both be given";
  const value = sourceQuantity ?? destinationQuantity;
  const isOfToken = (type === "OFF_RAMP") === (sourceQuantity !== undefined);
  const read = isOfToken ? readUnitsOf(token, fields.units, value) : readCents(fields.cents, value);
  return "fault" in read ? read.fault : { units: null, cents: null, ...read };
}

function readUnitsOf(
  token: SupportedToken | undefined,
  field: string,
  value: unknown,
): { units: Units | null } | { fault: string } {
  if (token) return readUnits(field, value, token);
  const read = readQuantity(value);
  return "fault" in read ? { fault: `${field} ${read.fault}` } : { units: null };
}

async function makeQuote(
  tx: Transaction,
  { clock, random, ports }: QuoteContext,
  asked: AskedQuote,
): Promise<UsableQuote> {
  if (!ports) throw new UnavailableError("No bank and no blockchain is connected.");
  const { type, method, token } = asked;
  const { symbol, blockchain } = token;
  if (!ports.serves(blockchain))
    throw new CallerError("bad_request", `This service is not connected to ${blockchain}`);
  const price = ports.prices.current(token);
  if (!price) throw new UnavailableError(`There is no price for ${symbol} just now.`);
  const { priceE18, sources: priceSources } = price;
  const now = clock.now();
  const feeCents = await feeFor(tx, type, method, new Date(now));
  const priced = priceOrders({ ...asked, priceE18, feeCents });
  if ("fault" in priced) throw new CallerError(priced.fault, ...priced.messages);
  const { units, cents } = priced;
  return {
    id: newId("quo", random),
    type,
    settlementMethod: method,
    symbol,
    blockchain,
    units,
    cents,
    priceE18,
    priceSources,
    feeCents,
    createdAt: now,
    expiresAt: now + priceLockMs,
  };
}

/** A purchase has no payout to a bank, and so no bank's days to wait for. */
async function settlementOf(
  tx: Transaction,
  { type, settlementMethod, createdAt }: UsableQuote,
): Promise<Settlement | null> {
  if (type === "ON_RAMP") return null;
  return settlementFor(settlementMethod, createdAt, await loadCalendar(tx, settlementMethod));
}

function presentQuote(
  quote: UsableQuote,
  { decimals }: SupportedToken,
  settlement: Settlement | null,
): Quote {
  const { id, type, settlementMethod, symbol, blockchain, priceE18, feeCents } = quote;
  const [units, cents] = [formatDecimal(quote.units, decimals), formatCents(quote.cents)];
  const [sourceQuantity, destinationQuantity] =
    type === "OFF_RAMP" ? [units, cents] : [cents, units];
  return {
    id,
    type,
    settlementMethod,
    currency: symbol,
    blockchain,
    sourceQuantity,
    destinationQuantity,
    priceUsd: formatPrice(priceE18),
    feeUsd: formatCents(feeCents),
    estimatedSendDate: settlement?.sendOn ?? null,
    estimatedSettlementDate: settlement && {
      earliest: settlement.earliestOn,
      latest: settlement.latestOn,
    },
    createdAt: timestamp(new Date(quote.createdAt)),
    expiresAt: timestamp(new Date(quote.expiresAt)),
  };
}
