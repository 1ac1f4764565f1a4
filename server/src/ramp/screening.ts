import { findUser } from "../accounts/store/users.ts";
import { messageOf } from "../lib/errors.ts";
import type { RampContext } from "./engine.ts";
import type { Notice, Verdict } from "./ports.ts";
import { openDestination } from "./store/bank-accounts.ts";
import { listSenders } from "./store/deposits.ts";
import { findWire, openWire } from "./store/incoming-wires.ts";
import type { Ramp } from "./transaction.ts";

/** Whose money it is, by name, and from and to which wallets it goes. */
type Parties = { names: readonly string[]; blockchain: string; addresses: readonly string[] };

type ScreeningContext = Pick<RampContext, "db" | "sealer" | "ports" | "log">;

/** Asks whether we may deal with everybody whose money a transaction moves. */
export async function screenRamp(
  context: ScreeningContext,
  ramp: Ramp,
): Promise<Verdict | "unavailable"> {
  return screen(context, await partiesOf(context, ramp));
}

/** Whether money comes from somebody whose money is frozen. Without an answer it is asked again before the money moves. */
export async function isFromSanctioned(
  context: Pick<ScreeningContext, "ports" | "log">,
  notice: Notice,
): Promise<boolean> {
  const sender = senderOf(notice);
  return sender !== undefined && (await screen(context, sender)) === "sanctioned";
}

/** Asks about everybody; one who is sanctioned is enough. No answer is not a good one. */
export async function screen(
  { ports: { screening }, log }: Pick<ScreeningContext, "ports" | "log">,
  { names, blockchain, addresses }: Parties,
): Promise<Verdict | "unavailable"> {
  try {
    const verdicts = await Promise.all([
      ...names.map((name) => screening.person(name)),
      ...addresses.map((address) => screening.wallet(blockchain, address)),
    ]);
    return verdicts.includes("sanctioned") ? "sanctioned" : "clear";
  } catch (error) {
    log.warn({ reason: messageOf(error) }, "screening does not answer; money waits for it");
    return "unavailable";
  }
}

function senderOf(notice: Notice): Parties | undefined {
  switch (notice.kind) {
    case "wire_received":
      return { names: [notice.senderName], blockchain: "", addresses: [] };
    case "deposit_final":
      return { names: [], blockchain: notice.blockchain, addresses: [notice.fromAddress] };
    default:
      return undefined;
  }
}

async function partiesOf({ db, sealer }: ScreeningContext, ramp: Ramp): Promise<Parties> {
  const { walletAddress, bankAccountId, token } = ramp;
  const user = await findUser(db, ramp.userId);
  const { holderName } = await openDestination(db, { sealer }, bankAccountId, "wire");
  const wire = ramp.type === "ON_RAMP" && ramp.wireId ? await findWire(db, ramp.wireId) : undefined;
  const senders = ramp.type === "OFF_RAMP" ? await listSenders(db, ramp.id) : [];
  const names = [user?.name, holderName, wire && openWire(sealer, wire).senderName];
  return {
    names: [...new Set(names.filter((name) => name !== undefined))],
    blockchain: token.blockchain,
    addresses: [...new Set([walletAddress, ...senders])],
  };
}
