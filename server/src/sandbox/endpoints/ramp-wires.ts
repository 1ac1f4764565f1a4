import type { SandboxWire } from "@slipway/sdk";
import { type Static, Type } from "typebox";
import { once } from "../../accounts/once.ts";
import { findUser } from "../../accounts/store/users.ts";
import type { Queryable } from "../../database/database.ts";
import { type Caller, type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import { assert, CallerError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import { asCents, type Cents, formatCents } from "../../lib/money.ts";
import type { Random } from "../../lib/random.ts";
import { type ArrivingWire, oddWireMeanings, receiveWire, wireFor } from "../ramp/wires.ts";
import { type ControlContext, findControlled, moneyControl, plainText } from "./ramp-context.ts";
import { readAmount, refusalOf } from "./ramp-fields.ts";

/** What a wire can carry: the network has no room for more. */
const dollars = { name: "USD", decimals: 2, most: 9_999_999_999_99n };

const nothingOnIt = "Required field is missing: transactionId, or reference in its place";

const NewWire = Type.Object({
  transactionId: Type.Optional(Type.String({ description: "must be a `txn-` and digits" })),
  reference: Type.Optional(
    Type.String(plainText("must be the text on the wire, 1 to 140 characters")),
  ),
  amountUsd: Type.Union([Type.String(), Type.Number()], {
    description: 'must be US dollars, such as "1000.00"',
  }),
  senderName: Type.Optional(Type.String(plainText("must be a name of 1 to 140 characters"))),
});

const WireSchema = shapeOf<SandboxWire>()(
  Type.Object({
    bankReference: Type.String(),
    amountUsd: Type.String(),
    senderName: Type.String(),
    reference: Type.Union([Type.String(), Type.Null()]),
  }),
);

/** Lets wires arrive at the sandbox's bank. */
export function wireEndpoints(context: ControlContext): Endpoint[] {
  const { clock, random, time } = context;
  return [
    endpoint({
      ...moneyControl,
      path: "/sandbox/wires",
      summary: "Let a wire arrive at the sandbox's bank",
      description: `With \`transactionId\` it carries that transaction's reference; with \`reference\` it carries \
any text instead, so that it may belong to nobody. ${oddWireMeanings}`,
      body: NewWire,
      response: WireSchema,
      async handle({ body, caller, idempotency }) {
        const cents = readCents(body);
        const answer = await once(context, { caller, idempotency }, async (tx) => {
          const wire = await wireOf(tx, { body, cents, caller, random });
          await receiveWire(tx, wire, clock.now());
          const { bankReference, senderName, text: reference } = wire;
          return { bankReference, amountUsd: formatCents(wire.cents), senderName, reference };
        });
        await time.settle();
        return answer;
      },
    }),
  ];
}

function readCents({ amountUsd, transactionId, reference }: Static<typeof NewWire>): Cents {
  const amount = readAmount("amountUsd", amountUsd, dollars);
  const mark = transactionId ?? reference;
  const reading = mark === undefined ? { fault: nothingOnIt } : { mark };
  if ("fault" in amount || "fault" in reading) throw refusalOf(reading, amount);
  return asCents(amount.value);
}

/** The wire of a transaction, or one with any text. It comes from the holder of the account unless told otherwise. */
async function wireOf(
  tx: Queryable,
  wish: { body: Static<typeof NewWire>; cents: Cents; caller: Caller; random: Random },
): Promise<ArrivingWire> {
  const { body, cents, caller, random } = wish;
  const { transactionId, reference } = body;
  const ramp =
    transactionId === undefined ? undefined : await findControlled(tx, caller, transactionId);
  if (ramp?.type === "OFF_RAMP")
    throw new CallerError("conflict", `Transaction ${ramp.id} waits for crypto, not for a wire`);
  const holder = await findUser(tx, ramp?.userId ?? caller.userId);
  assert(holder, "a transaction and a key belong to an account");
  const bankReference = newId("sbw", random);
  const sender = { bankReference, senderName: body.senderName ?? holder.name };
  if (!ramp) return { ...sender, cents, text: reference ?? null, tellings: 1 };
  const wire = wireFor(ramp, cents, sender);
  return reference === undefined ? wire : { ...wire, text: reference };
}
