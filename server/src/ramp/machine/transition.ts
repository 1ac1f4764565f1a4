import type { Move, Order, Step, StepKind, TransactionEvent } from "../step.ts";
import type { Ramp } from "../transaction.ts";

/** What a step makes of a transaction, beside what every step does (`advance.ts`). */
export type Change<R extends Ramp> = {
  ramp: R;
  moves?: readonly Move[];
  orders?: readonly Order[];
  events?: readonly TransactionEvent[];
};

/** A change, or why there is none: nothing new, or nothing that can happen. */
export type Outcome<R extends Ramp> = Change<R> | "known" | "impossible";

/** The steps by their kind. */
export type StepOf = { [K in StepKind]: Extract<Step, { kind: K }> };

/** What each kind of step does in one state. A kind left out cannot happen there. */
export type Handlers<R extends Ramp> = {
  readonly [K in StepKind]?: (ramp: R, step: StepOf[K], at: number) => Outcome<R>;
};

/** What can happen in every state. A state left out does not compile. */
export type Transitions<R extends Ramp> = { readonly [State in R["state"]]: Handlers<R> };
