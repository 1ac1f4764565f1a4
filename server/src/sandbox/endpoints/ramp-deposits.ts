import type { SandboxDeposit } from "@slipway/sdk";
import { type Static, Type } from "typebox";
import { once } from "../../accounts/once.ts";
import type { Queryable } from "../../database/database.ts";
import { type Caller, type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import { CallerError } from "../../lib/errors.ts";
import { asUnits, formatDecimal } from "../../lib/money.ts";
import { findToken, type SupportedToken } from "../../ramp/assets.ts";
import type { OffRamp } from "../../ramp/transaction.ts";
import { chainControl } from "./chain-control.ts";
import { type ControlContext, findControlled, moneyControl } from "./ramp-context.ts";
import { readAddress, readAmount, refusalOf } from "./ramp-fields.ts";

const transactionId = Type.String({ description: "must be a `txn-` and digits" });

const NewDeposit = Type.Object({
  transactionId,
  quantity: Type.Union([Type.String(), Type.Number()], {
    description: 'must be a decimal string such as "12.5"',
  }),
  currency: Type.Optional(
    Type.String({ description: "must be a token on the blockchain; left out, the transaction's" }),
  ),
  fromAddress: Type.Optional(
    Type.String({ description: "must be the sender's address; left out, the registered wallet's" }),
  ),
});

const DepositSchema = shapeOf<SandboxDeposit>()(
  Type.Object({
    transactionHash: Type.String(),
    blockchain: Type.String(),
    currency: Type.String(),
    quantity: Type.String(),
    address: Type.String(),
    fromAddress: Type.String(),
  }),
);

/** Lets crypto arrive at deposit addresses, and disappear again while its block is not final. */
export function depositEndpoints(context: ControlContext): Endpoint[] {
  return [
    endpoint({
      ...moneyControl,
      path: "/sandbox/deposits",
      summary: "Send crypto to the deposit address of an off-ramp",
      description:
        "It is seen at once, and final 1 minute later on bnb, avalanche and solana, 2 on polygon, 10 on bitcoin and " +
        "13 elsewhere. A sender whose address ends in `dead` is sanctioned; about `fade` screening has no answer. On " +
        "the sandbox's own Ethereum it is a real transfer, for which the sender is given what it lacks, and final " +
        "after 1 minute.",
      body: NewDeposit,
      response: DepositSchema,
      async handle({ body, caller, idempotency }) {
        const control = chainControl(context);
        const answer = await once(context, { caller, idempotency }, async (tx) => {
          const ramp = await findOffRamp(tx, caller, body.transactionId);
          const token = tokenOf(ramp, body);
          const { units, fromAddress } = readDeposit(token, ramp, body);
          const { symbol: currency, blockchain } = token;
          const transfer = { blockchain, currency, address: ramp.depositAddress, fromAddress };
          const blockTime = new Date(context.clock.now());
          const transactionHash = await control.deposit(tx, { ...transfer, units, blockTime });
          const quantity = formatDecimal(units, token.decimals);
          return { transactionHash, ...transfer, quantity };
        });
        await control.settle();
        return answer;
      },
    }),
    endpoint({
      ...moneyControl,
      path: "/sandbox/reorgs",
      summary: "Take deposits of an off-ramp out of the chain, as a reorganisation does",
      description:
        "Deposits that are final stay. On the sandbox's own Ethereum everything is taken back that happened since the " +
        "first of them, whoever did it; what the ramp itself had sent comes again.",
      body: Type.Object({ transactionId }),
      response: Type.Object({ transactionHashes: Type.Array(Type.String()) }),
      async handle({ body, caller, idempotency }) {
        const control = chainControl(context);
        const answer = await once(context, { caller, idempotency }, async (tx) => {
          const ramp = await findOffRamp(tx, caller, body.transactionId);
          return { transactionHashes: await control.takeBack(tx, ramp) };
        });
        await control.settle();
        return answer;
      },
    }),
  ];
}

async function findOffRamp(tx: Queryable, caller: Caller, id: string): Promise<OffRamp> {
  const ramp = await findControlled(tx, caller, id);
  if (ramp.type !== "OFF_RAMP")
    throw new CallerError("conflict", `Transaction ${ramp.id} waits for a wire, not for crypto`);
  return ramp;
}

function tokenOf({ token }: OffRamp, { currency }: Static<typeof NewDeposit>): SupportedToken {
  const found = findToken(currency ?? token.symbol, token.blockchain);
  if (!found)
    throw new CallerError("bad_request", `currency must be a token on ${token.blockchain}`);
  return found;
}

function readDeposit(token: SupportedToken, ramp: OffRamp, body: Static<typeof NewDeposit>) {
  const { symbol, blockchain, decimals } = token;
  const name = `${symbol} on ${blockchain}`;
  const amount = readAmount("quantity", body.quantity, { name, decimals });
  const sender = readAddress("fromAddress", blockchain, body.fromAddress ?? ramp.walletAddress);
  if ("fault" in amount || "fault" in sender) throw refusalOf(amount, sender);
  return { units: asUnits(amount.value), fromAddress: sender.address };
}
