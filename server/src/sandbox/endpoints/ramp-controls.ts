import type { DueRunner } from "../../database/due.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import type { Log } from "../../lib/log.ts";
import { openTimeMachine } from "../ramp/advance.ts";
import { clockEndpoints } from "./ramp-clock.ts";
import type { ControlContext } from "./ramp-context.ts";
import { depositEndpoints } from "./ramp-deposits.ts";
import { returnEndpoints } from "./ramp-returns.ts";
import { statementEndpoints } from "./ramp-statements.ts";
import { verificationControls } from "./ramp-verification.ts";
import { wireEndpoints } from "./ramp-wires.ts";

type SandboxRampContext = Omit<ControlContext, "time"> & {
  /** All work of the ramp that can be due. */
  runners: readonly DueRunner[];
  log: Log;
};

/** Makes things happen in the sandbox's ramp: money that arrives or comes back, decisions, time that passes. */
export function sandboxRampEndpoints(context: SandboxRampContext): Endpoint[] {
  const { db, clock, runners, log } = context;
  const controls = { ...context, time: openTimeMachine({ db, clock, runners, log }) };
  return [
    ...clockEndpoints(controls),
    ...wireEndpoints(controls),
    ...depositEndpoints(controls),
    ...returnEndpoints(controls),
    ...statementEndpoints(controls),
    ...verificationControls(controls),
  ];
}
