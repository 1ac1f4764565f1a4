import type { VerificationStatus } from "@slipway/sdk";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Fault } from "../../parts/fault.tsx";
import { Choice, Field } from "../../parts/fields.tsx";
import { useOrder } from "../../session/use-answer.ts";

/** Everything may be different afterwards. */
const changes = [[]];

/** Money on its way to the ramp's bank account. */
export function WireForm() {
  const [transactionId, setTransactionId] = useState("");
  const [amountUsd, setAmount] = useState("");
  const order = useOrder({
    send: (client, _: undefined) => client.sandbox.wire({ transactionId, amountUsd }),
    changes,
  });
  const done = order.data && `✓ ${order.data.amountUsd} USD from ${order.data.senderName}.`;
  return (
    <SandboxForm order={order} done={done} action="Send the wire">
      <TransactionField value={transactionId} onChange={setTransactionId} />
      <Field
        label="Amount in USD"
        inputMode="decimal"
        required
        value={amountUsd}
        onChange={({ currentTarget }) => setAmount(currentTarget.value)}
      />
    </SandboxForm>
  );
}

/** Coins on their way to a deposit address. */
export function DepositForm() {
  const [transactionId, setTransactionId] = useState("");
  const [quantity, setQuantity] = useState("");
  const order = useOrder({
    send: (client, _: undefined) => client.sandbox.deposit({ transactionId, quantity }),
    changes,
  });
  const { data } = order;
  const done = data && `✓ ${data.quantity} ${data.currency} on ${data.blockchain}.`;
  return (
    <SandboxForm order={order} done={done} action="Make the deposit">
      <TransactionField value={transactionId} onChange={setTransactionId} />
      <Field
        label="Quantity"
        hint="In the currency of the transaction."
        inputMode="decimal"
        required
        value={quantity}
        onChange={({ currentTarget }) => setQuantity(currentTarget.value)}
      />
    </SandboxForm>
  );
}

/** An ACH payment that comes back. */
export function ReturnForm() {
  const [transactionId, setTransactionId] = useState("");
  const [code, setCode] = useState("R01");
  const order = useOrder({
    send: (client, _: undefined) => client.sandbox.achReturn({ transactionId, code }),
    changes,
  });
  const done = order.data && `✓ Payout ${order.data.payoutId} comes back with ${order.data.code}.`;
  return (
    <SandboxForm order={order} done={done} action="Return the payment">
      <TransactionField value={transactionId} onChange={setTransactionId} />
      <Field
        label="Return code"
        hint="R01 to R85."
        required
        pattern="R\d\d"
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
    </SandboxForm>
  );
}

const statuses: readonly VerificationStatus[] = [
  "approved",
  "rejected",
  "review",
  "pending",
  "expired",
  "none",
];

/** A decision about an account. */
export function VerificationForm() {
  const [userId, setUserId] = useState("");
  const [status, setStatus] = useState<VerificationStatus>("approved");
  const order = useOrder({
    send: (client, _: undefined) => client.sandbox.verify({ userId, status }),
    changes,
  });
  const done = order.data && `✓ ${order.data.userId} is now: ${order.data.status}.`;
  return (
    <SandboxForm order={order} done={done} action="Decide">
      <Field
        label="Account"
        placeholder="usr-20000000000002"
        required
        value={userId}
        onChange={({ currentTarget }) => setUserId(currentTarget.value.trim())}
      />
      <Choice
        label="Becomes"
        value={status}
        onChange={({ currentTarget }) => {
          const chosen = statuses.find((each) => each === currentTarget.value);
          if (chosen) setStatus(chosen);
        }}
      >
        {statuses.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </Choice>
    </SandboxForm>
  );
}

type FormProps = {
  order: { mutate(input: undefined): void; isPending: boolean; error: Error | null };
  done: string | undefined;
  action: string;
  children: ReactNode;
};

function SandboxForm({ order, done, action, children }: FormProps) {
  function submit(event: FormEvent): void {
    event.preventDefault();
    order.mutate(undefined);
  }
  return (
    <form onSubmit={submit} className="grid gap-3">
      {children}
      <Button type="submit" disabled={order.isPending}>
        {action}
      </Button>
      <p role="status">{done}</p>
      <Fault of={order.error} />
    </form>
  );
}

type TransactionFieldProps = { value: string; onChange(value: string): void };

function TransactionField({ value, onChange }: TransactionFieldProps) {
  return (
    <Field
      label="Transaction"
      placeholder="txn-…"
      required
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
    />
  );
}
