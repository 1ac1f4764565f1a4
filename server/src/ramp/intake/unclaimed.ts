import type { DueRunner } from "../../database/due.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { RampContext } from "../engine.ts";
import { returnableUnits, returnDeposit, returnWire } from "../incoming.ts";
import { holdRetryMs } from "../policy.ts";
import { screen } from "../screening.ts";
import {
  changeDeposit,
  claimUnclaimedDeposit,
  type Deposit,
  postponeDeposit,
} from "../store/deposits.ts";
import {
  changeWire,
  claimUnclaimedWire,
  type IncomingWire,
  openWire,
  postponeWire,
} from "../store/incoming-wires.ts";
import { freeze } from "./suspense.ts";

/** For how long something is left to whoever took it. */
const leaseMs = 60_000;

/** Sends back what lay in suspense for too long: wires to their senders, deposits to the customers' wallets. */
export function unclaimedReturns(context: RampContext): DueRunner[] {
  return [
    runnerOf(context, "wires nobody claimed", claimUnclaimedWire, sendWireBack),
    runnerOf(context, "deposits nobody claimed", claimUnclaimedDeposit, sendDepositBack),
  ];
}

type Claim<Row> = (db: RampContext["db"], now: Date, until: Date) => Promise<Row | undefined>;

function runnerOf<Row extends { id: string }>(
  context: RampContext,
  name: string,
  claim: Claim<Row>,
  handle: (context: RampContext, row: Row) => Promise<void>,
): DueRunner {
  async function handleNext(): Promise<boolean> {
    const now = context.clock.now();
    const row = await claim(context.db, new Date(now), new Date(now + leaseMs));
    if (!row) return false;
    await handle(context, row).catch((error) => {
      const reason = messageOf(error);
      context.log.error(
        { work: name, id: row.id, reason },
        "sending back failed; it is tried again",
      );
    });
    return true;
  }
  return {
    name,
    async run(signal) {
      let handled = 0;
      while (!signal?.aborted && (await handleNext())) handled++;
      return handled;
    },
  };
}

async function sendWireBack(context: RampContext, wire: IncomingWire): Promise<void> {
  const { db, clock, sealer } = context;
  const { senderName } = openWire(sealer, wire);
  const verdict = await screen(context, { names: [senderName], blockchain: "", addresses: [] });
  if (verdict === "unavailable") return postponeWire(db, wire.id, later(clock));
  await db.transact(async (tx) => {
    if (verdict === "clear") return returnWire(tx, context, wire.id, "policy");
    sayFrozen(context, wire.id);
    const at = new Date(clock.now());
    return changeWire(tx, wire.id, { state: "suspense", reason: freeze.reason, at });
  });
}

async function sendDepositBack(context: RampContext, deposit: Deposit): Promise<void> {
  const { db, clock } = context;
  const { id, blockchain, fromAddress } = deposit;
  const verdict = await screen(context, { names: [], blockchain, addresses: [fromAddress] });
  if (verdict === "unavailable") return postponeDeposit(db, id, later(clock));
  const isDust = returnableUnits(deposit) <= 0n;
  await db.transact(async (tx) => {
    if (verdict === "clear" && !isDust) return returnDeposit(tx, context, id, "policy");
    if (verdict === "sanctioned") sayFrozen(context, id);
    const reason = verdict === "sanctioned" ? freeze.reason : "dust";
    const at = new Date(clock.now());
    return changeDeposit(tx, id, { use: "suspense", reason, dueAt: null, at });
  });
}

const later = (clock: Clock): Date => new Date(clock.now() + holdRetryMs);

function sayFrozen({ log }: RampContext, id: string): void {
  log.error(
    { id },
    "money in suspense came from a sanctioned sender and is frozen; report it as blocked property",
  );
}
