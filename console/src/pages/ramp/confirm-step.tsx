import type { BankAccount, Quote, Wallet } from "@slipway/sdk";
import type { FormEvent } from "react";
import { Answered } from "../../parts/answered.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Facts } from "../../parts/facts.tsx";
import { useAnswer, useOrder } from "../../session/use-answer.ts";
import { accountEnd } from "./bank-draft.ts";
import { chainName } from "./chains.ts";
import { faultsOf } from "./faults.ts";
import { transactionRequest } from "./order-draft.ts";
import { isForbidden, NotVerified, Problems } from "./problems.tsx";
import { got, paid } from "./quote-card.tsx";
import { StepHeading } from "./steps.tsx";
import type { LiveQuote } from "./use-quote.ts";
import { AddressEnds } from "./wallet-fields.tsx";

type Props = {
  live: LiveQuote;
  walletId: string;
  bankAccountId: string;
  onBack(): void;
  onOrdered(transactionId: string): void;
};

/** Everything once more, and then it is ordered. */
export function ConfirmStep({ live, walletId, bankAccountId, onBack, onOrdered }: Props) {
  const methods = useAnswer({
    key: ["ramp", "chosen", walletId, bankAccountId],
    ask: (client) =>
      Promise.all([client.ramp.wallets.get(walletId), client.ramp.bankAccounts.get(bankAccountId)]),
  });
  const order = useOrder({
    send: (client, quote: Quote) =>
      client.ramp.transactions.create(transactionRequest(quote, { walletId, bankAccountId })),
    changes: [["ramp", "transactions"]],
    done: ({ id }) => onOrdered(id),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (live.quote && live.isGood) order.mutate(live.quote);
  }
  const { quote } = live;
  const refused = faultsOf(order.error, []).rest;
  const isPurchase = quote?.type === "ON_RAMP";
  return (
    <Card>
      <StepHeading isFocused>Is everything right?</StepHeading>
      <form onSubmit={submit} className="grid gap-4">
        <Answered answer={methods} height="12rem">
          {([wallet, account]) => quote && <Deal quote={quote} wallet={wallet} account={account} />}
        </Answered>
        {isForbidden(order.error) ? (
          <NotVerified message={refused.join(" ")} />
        ) : (
          <Problems messages={refused} />
        )}
        {!live.isGood && !live.isPending && (
          <p className="text-warn">! The quote has expired. Renew it to see today’s price.</p>
        )}
        <div className="flex flex-wrap justify-between gap-3">
          <Button onClick={onBack}>Back</Button>
          <Button look="main" type="submit" disabled={!live.isGood || order.isPending}>
            {isPurchase ? "Buy, and show how to pay" : "Sell, and show where to send"}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Deal({ quote, wallet, account }: { quote: Quote; wallet: Wallet; account: BankAccount }) {
  const isPurchase = quote.type === "ON_RAMP";
  return (
    <>
      <Facts
        facts={[
          [isPurchase ? "You pay" : "You sell", <strong key="pay">{paid(quote)}</strong>],
          ["You get", <strong key="get">{got(quote)}</strong>],
          [isPurchase ? "You wire from" : "Paid to", account.bankName],
          ["Account", `${accountEnd(account.accountNumber)}, ${account.billingDetails.fullName}`],
          ["By", quote.settlementMethod],
        ]}
      />
      <div className="rounded-md bg-raised p-3">
        <p className="mb-1 text-quiet">
          {isPurchase ? "It goes to this address on " : "You send from this address on "}
          <strong className="text-text">{chainName(wallet.blockchain)}</strong>. Compare both ends
          with your wallet:
        </p>
        <AddressEnds address={wallet.address} />
      </div>
    </>
  );
}
