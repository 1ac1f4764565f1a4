import { findSubaccount } from "../../accounts/store/users.ts";
import type { Database, Queryable } from "../../database/database.ts";
import type { Caller } from "../../http/endpoint.ts";
import { CallerError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import type { Random } from "../../lib/random.ts";
import type { Sealer } from "../../lib/seal.ts";
import { findAnyRamp } from "../../ramp/store/transactions.ts";
import type { Ramp } from "../../ramp/transaction.ts";
import type { TimeMachine } from "../ramp/advance.ts";
import type { SandboxClock } from "../ramp/clock.ts";
import type { LocalChain } from "../ramp/local-chain/open-local-chain.ts";

/** What the sandbox's controls work with. */
export type ControlContext = {
  db: Database;
  clock: SandboxClock;
  random: Random;
  sealer: Sealer;
  time: TimeMachine;
  /** Ethereum for real, if the sandbox has it. */
  local?: LocalChain | undefined;
};

/** What the controls that move money have in common. */
export const moneyControl = {
  method: "POST",
  family: "ramp",
  scope: "ramp:transactions:write",
  status: 201,
} as const;

/** Text that a bank can carry: no control characters, and nothing that is half a character. */
export const plainText = (description: string) => ({
  minLength: 1,
  maxLength: 140,
  pattern: "^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]+$",
  description,
});

/** Whether the caller is this account, its master, or the operator. */
export async function mayControl(db: Queryable, caller: Caller, userId: string): Promise<boolean> {
  return (
    caller.userId === userId ||
    caller.scopes.has("operator") ||
    (await findSubaccount(db, caller.userId, userId)) !== undefined
  );
}

/** A transaction of the caller or one of its subaccounts; of anybody when the operator asks. */
export async function findControlled(db: Queryable, caller: Caller, id: string): Promise<Ramp> {
  if (!isId("txn", id))
    throw new CallerError("not_found", "There is no such transaction: ids look like txn-123.");
  const ramp = await findAnyRamp(db, id);
  if (!ramp || !(await mayControl(db, caller, ramp.userId)))
    throw new CallerError("not_found", `Transaction ${id} was not found`);
  return ramp;
}
