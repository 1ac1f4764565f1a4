import type { Slipway } from "@slipway/sdk";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { decimal, dollars } from "../../lib/figures.ts";
import { dateTime, millisecondsOf } from "../../lib/times.ts";
import { Button } from "../../parts/button.tsx";
import { Fault } from "../../parts/fault.tsx";
import { Choice } from "../../parts/fields.tsx";
import { useOrder } from "../../session/use-answer.ts";
import { type Move, nextMove } from "./next-move.ts";
import { useRampNow } from "./use-ramp-now.ts";
import type { TrackedTransaction } from "./use-transaction.ts";

const minutesSeconds = 15 * 60;
/** A week has three business days, whatever holidays are in it. */
const weekSeconds = 7 * 86_400;

const oddWires = [
  { amountUsd: "0.01", name: "with a tenth too little" },
  { amountUsd: "0.03", name: "with a tenth too much" },
  { amountUsd: "0.05", name: "without its reference" },
  { amountUsd: "0.07", name: "from somebody else" },
  { amountUsd: "0.09", name: "told twice by the bank" },
] as const;

/** The sandbox's other side: the customer's bank, the blockchain, and time. */
export function PlayTheBank({ of: transaction }: { of: TrackedTransaction }) {
  const { status } = transaction;
  const now = useRampNow();
  const play = useOrder({
    send: (client, act: (client: Slipway) => Promise<unknown>) => act(client),
    // Time that moves changes anything.
    changes: [[]],
  });
  const box = useRef<HTMLElement>(null);
  // The button that was pressed may be gone with the state it was for.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the state changes
  useEffect(() => {
    if (play.isSuccess && document.activeElement === document.body) box.current?.focus();
  }, [status.state]);
  const move = nextMove(status, transaction);
  const deadlineSeconds = status.deadline
    ? Math.ceil((millisecondsOf(status.deadline) - now) / 1_000) + 1
    : 0;
  const button = (name: Move, label: string, act: (client: Slipway) => Promise<unknown>) => (
    <Button
      look={name === move ? "main" : "plain"}
      // Not disabled: who uses the keyboard would lose the place.
      aria-disabled={play.isPending}
      onClick={() => play.isPending || play.mutate(act)}
    >
      {label}
    </Button>
  );
  const pass = (seconds: number) => (client: Slipway) => client.sandbox.advanceClock(seconds);
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label="Play the bank"
      className="outline-none rounded-lg border-2 border-dashed border-warn p-4"
    >
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="font-semibold">Play the bank</h2>
        <span className="text-xs text-warn">sandbox only</span>
      </div>
      <p className="mb-3 text-quiet">{hints[move]}</p>
      <div className="flex flex-wrap gap-2">
        <PayIn transaction={transaction} button={button} />
        {button("minutes", "Let 15 minutes pass", pass(minutesSeconds))}
        {button("days", "Let a week pass", pass(weekSeconds))}
        {deadlineSeconds > 0 && button("deadline", "Go to the deadline", pass(deadlineSeconds))}
        <ReturnPayment transaction={transaction} button={button} />
      </div>
      {status.state === "AWAITING_FUNDS" && (
        <OddWire
          isBusy={play.isPending}
          onSend={(amountUsd) =>
            play.mutate((client) =>
              client.sandbox.wire({ transactionId: transaction.id, amountUsd }),
            )
          }
        />
      )}
      <p className="mt-3 text-xs text-quiet">
        For the ramp it is <time>{dateTime(now)}</time>.
        <span role="status">{play.isPending ? " Time passes…" : ""}</span>
      </p>
      <Fault of={play.error} />
    </section>
  );
}

const hints: Record<Move, string> = {
  wire: "You are the customer’s bank now: send the wire.",
  deposit: "You are the customer’s wallet now: send the crypto.",
  minutes: "Blockchains and wires take minutes. Let some pass.",
  days: "Banks have their hours, and ACH takes three business days. Let a week pass.",
  deadline: "Somebody has to decide. Or see what happens when nobody does.",
  none: "There is nothing to play any more. Time can still pass.",
};

type PartProps = {
  transaction: TrackedTransaction;
  button(name: Move, label: string, act: (client: Slipway) => Promise<unknown>): ReactNode;
};

function PayIn({ transaction, button }: PartProps) {
  const { id, status, instructions } = transaction;
  if (instructions.method === "WIRE") {
    const { amountUsd } = instructions;
    if (status.state !== "AWAITING_FUNDS" || amountUsd === null) return null;
    return button("wire", `Send the wire of ${dollars(amountUsd)}`, (client) =>
      client.sandbox.wire({ transactionId: id, amountUsd }),
    );
  }
  const { quantity, currency } = instructions;
  if (status.state !== "AWAITING_DEPOSIT" || quantity === null) return null;
  return button("deposit", `Send ${decimal(quantity, 18)} ${currency}`, (client) =>
    client.sandbox.deposit({ transactionId: id, quantity }),
  );
}

/** An ACH payment can come back as long as it is at the bank. */
function ReturnPayment({ transaction, button }: PartProps) {
  const { id, type, settlementMethod, status } = transaction;
  const isAtBank = status.state === "PAYOUT_SUBMITTED" || status.state === "COMPLETED";
  if (type !== "OFF_RAMP" || settlementMethod !== "ACH" || !isAtBank) return null;
  return button("none", "Return the payment (R03)", (client) =>
    client.sandbox.achReturn({ transactionId: id, code: "R03" }),
  );
}

function OddWire({ isBusy, onSend }: { isBusy: boolean; onSend(amountUsd: string): void }) {
  const [amountUsd, setAmount] = useState<string>(oddWires[0].amountUsd);
  return (
    <details className="mt-3">
      <summary className="py-0.5 text-xs text-quiet">A wire that is not as it should be</summary>
      <div className="mt-2 flex flex-wrap items-end gap-2">
        <div className="min-w-56">
          <Choice
            label="It comes"
            value={amountUsd}
            onChange={({ currentTarget }) => setAmount(currentTarget.value)}
          >
            {oddWires.map((wire) => (
              <option key={wire.amountUsd} value={wire.amountUsd}>
                {wire.name} ({wire.amountUsd} USD)
              </option>
            ))}
          </Choice>
        </div>
        <Button disabled={isBusy} onClick={() => onSend(amountUsd)} className="mb-5">
          Send it
        </Button>
      </div>
    </details>
  );
}
