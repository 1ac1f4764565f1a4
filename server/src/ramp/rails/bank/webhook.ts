import type { Hook } from "../../../http/hooks.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { BankContext } from "./bank-profile.ts";

/** Takes in what the bank tells by webhook. */
export function bankHook(_context: BankContext & { realClock?: Clock }, _secret: string): Hook {
  return { path: "/hooks/bank", receive: () => Promise.reject(new Error("not yet")) };
}
