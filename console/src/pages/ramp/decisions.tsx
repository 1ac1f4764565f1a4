import type { Slipway } from "@slipway/sdk";
import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { Fault } from "../../parts/fault.tsx";
import { Choice } from "../../parts/fields.tsx";
import { useOrder } from "../../session/use-answer.ts";
import { accountEnd } from "./bank-draft.ts";
import { useBankAccounts } from "./use-methods.ts";
import type { TrackedTransaction } from "./use-transaction.ts";
import { decisionsOf } from "./words.ts";

/** What the customer can decide now; nothing when there is nothing. */
export function Decisions({ of: transaction }: { of: TrackedTransaction }) {
  const { id, status, type } = transaction;
  const decide = useOrder({
    send: (client, act: (client: Slipway) => Promise<unknown>) => act(client),
    changes: [["ramp", "transaction", id]],
  });
  const decisions = decisionsOf(status, type);
  if (decisions.length === 0) return null;
  return (
    <div className="mt-4 grid gap-3 border-t border-line pt-3 print:hidden">
      {decisions.includes("cancel") && (
        <div>
          <ConfirmButton
            label="Cancel it"
            question="Cancel this transaction?"
            action="Cancel it"
            onConfirm={() => decide.mutate((client) => client.ramp.transactions.cancel(id))}
          >
            <p>
              {type === "ON_RAMP"
                ? "If your wire is on its way already, it will be sent back."
                : "If your crypto is on its way already, it will be sold at the price of that moment."}
            </p>
          </ConfirmButton>
        </div>
      )}
      {decisions.includes("accept") && (
        <div>
          <Button
            look="main"
            disabled={decide.isPending}
            onClick={() => decide.mutate((client) => client.ramp.transactions.accept(id))}
          >
            Accept today’s price
          </Button>
        </div>
      )}
      {decisions.includes("replaceBankAccount") && (
        <AnotherAccount
          current={transaction.destinationOrder.bankAccountId}
          isBusy={decide.isPending}
          onChosen={(accountId) =>
            decide.mutate((client) => client.ramp.transactions.replaceBankAccount(id, accountId))
          }
        />
      )}
      <Fault of={decide.error} />
    </div>
  );
}

type AccountProps = {
  current: string | null;
  isBusy: boolean;
  onChosen(bankAccountId: string): void;
};

function AnotherAccount({ current, isBusy, onChosen }: AccountProps) {
  const accounts = useBankAccounts();
  const [chosen, setChosen] = useState("");
  const others = (accounts.data ?? []).filter(({ id }) => id !== current);
  const accountId = chosen || (others[0]?.id ?? "");
  function submit(event: FormEvent): void {
    event.preventDefault();
    onChosen(accountId);
  }
  if (others.length === 0) {
    return (
      <p>
        The money can go to another account of yours.{" "}
        <Link href="/ramp/methods">Add a bank account</Link>, then come back.
      </p>
    );
  }
  return (
    <form onSubmit={submit} className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_auto]">
      <Choice
        label="Send the money to another account"
        value={accountId}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      >
        {others.map(({ id, bankName, accountNumber }) => (
          <option key={id} value={id}>
            {bankName} {accountEnd(accountNumber)}
          </option>
        ))}
      </Choice>
      <Button look="main" type="submit" disabled={isBusy} className="self-start sm:mt-[1.65rem]">
        Send it there
      </Button>
    </form>
  );
}
