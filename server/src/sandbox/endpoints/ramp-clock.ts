import { Type } from "typebox";
import { once } from "../../accounts/once.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { CallerError } from "../../lib/errors.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { lockWish, setWish } from "../store/clock.ts";
import type { ControlContext } from "./ramp-context.ts";

const advanceSecondsMost = 400 * 24 * 3_600;
/** Far enough for every trial, and near enough for every calendar. */
const endOfTime = Date.UTC(2100, 0, 1);

const common = {
  path: "/sandbox/clock",
  family: "ramp",
  status: 200,
  response: Type.Object({ now: Type.String({ description: "`2026-11-14T23:51:07.042`, in UTC" }) }),
} as const;

/** Shows and moves the time that the sandbox's ramp lives in. */
export function clockEndpoints(context: ControlContext): Endpoint[] {
  const { clock, time } = context;
  return [
    endpoint({
      ...common,
      method: "GET",
      summary: "What time it is for the ramp",
      scope: "ramp:read",
      handle: () => ({ now: timestamp(new Date(clock.now())) }),
    }),
    endpoint({
      ...common,
      method: "POST",
      summary: "Let time pass for the ramp",
      description:
        "Everything that falls due on the way happens in its order before this answers. Time never goes back.",
      scope: "ramp:transactions:write",
      body: Type.Object({
        advanceSeconds: Type.Integer({
          minimum: 1,
          maximum: advanceSecondsMost,
          description: `must be a whole number of seconds from 1 to ${advanceSecondsMost}, which are 400 days`,
        }),
      }),
      async handle({ body, caller, idempotency }) {
        const answer = await once(context, { caller, idempotency }, async (tx) => {
          const from = Math.max(await lockWish(tx), clock.now());
          const until = from + body.advanceSeconds * 1_000;
          if (until > endOfTime)
            throw new CallerError(
              "bad_request",
              "advanceSeconds must not lead beyond the year 2099",
            );
          await setWish(tx, until);
          return { now: timestamp(new Date(until)) };
        });
        await time.fulfilWish();
        return answer;
      },
    }),
  ];
}
