import type { RampType } from "@slipway/sdk";
import { useState } from "react";
import { Link, useSearchParams } from "wouter";
import { Answered } from "../../parts/answered.tsx";
import { Page } from "../../parts/page.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { AmountStep } from "./amount-step.tsx";
import { ConfirmStep } from "./confirm-step.tsx";
import { MethodsStep } from "./methods-step.tsx";
import { quoteRequest } from "./order-draft.ts";
import { newOrderForm, type OrderForm } from "./order-form.ts";
import { PayStep } from "./pay-step.tsx";
import { QuoteCard } from "./quote-card.tsx";
import { Steps } from "./steps.tsx";
import { useQuote } from "./use-quote.ts";
import { verificationWords } from "./words.ts";

const words = {
  ON_RAMP: {
    title: "Buy crypto",
    subtitle: "You pay dollars by wire, we send crypto to your wallet.",
    steps: ["Amount", "Wallet and bank", "Confirm", "Send the wire"],
  },
  OFF_RAMP: {
    title: "Sell crypto",
    subtitle: "You send crypto, we pay dollars to your bank account.",
    steps: ["Amount", "Wallet and bank", "Confirm", "Send the crypto"],
  },
} as const;

/** Buying or selling, in four steps. Once it is ordered the address names the transaction. */
export function OrderPage({ type }: { type: RampType }) {
  const [params, setParams] = useSearchParams();
  const ordered = params.get("transaction");
  const { title, subtitle, steps } = words[type];
  return (
    <Page title={title} subtitle={subtitle}>
      {ordered === null ? (
        <Ordering
          type={type}
          steps={steps}
          onOrdered={(transaction) => setParams({ transaction })}
        />
      ) : (
        <>
          <Steps names={steps} current={steps.length - 1} />
          <PayStep transactionId={ordered} onAnother={() => setParams({})} />
        </>
      )}
    </Page>
  );
}

type OrderingProps = {
  type: RampType;
  steps: readonly string[];
  onOrdered(transactionId: string): void;
};

function Ordering({ type, steps, onOrdered }: OrderingProps) {
  const [form, setForm] = useState(() => newOrderForm(type));
  const [step, setStep] = useState(0);
  const [hasMoved, setMoved] = useState(false);
  const change = (changes: Partial<OrderForm>) => setForm((before) => ({ ...before, ...changes }));
  const go = (next: number) => {
    setMoved(true);
    setStep(next);
  };
  const live = useQuote(quoteRequest(form));
  const assets = useAnswer({ key: ["ramp", "assets"], ask: (client) => client.ramp.assets() });
  const { walletId, bankAccountId } = form;
  return (
    <>
      <VerificationNotice />
      <Steps names={steps} current={step} onBack={go} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem] xl:max-w-6xl">
        {step === 0 && (
          <Answered answer={assets} height="22rem">
            {(known) => (
              <AmountStep
                form={form}
                assets={known}
                live={live}
                isFocused={hasMoved}
                change={change}
                onDone={() => go(1)}
              />
            )}
          </Answered>
        )}
        {step === 1 && (
          <MethodsStep
            form={form}
            change={change}
            onBack={() => go(0)}
            onDone={(chosen) => {
              change(chosen);
              go(2);
            }}
          />
        )}
        {step === 2 && walletId !== undefined && bankAccountId !== undefined && (
          <ConfirmStep
            live={live}
            walletId={walletId}
            bankAccountId={bankAccountId}
            onBack={() => go(1)}
            onOrdered={onOrdered}
          />
        )}
        <QuoteCard type={type} live={live} />
      </div>
    </>
  );
}

/** Said at the start, not when everything is filled in. */
function VerificationNotice() {
  const verification = useAnswer({
    key: ["ramp", "verification"],
    ask: (client) => client.ramp.verification.get(),
  });
  const status = verification.data?.status;
  if (status === undefined || status === "approved") return null;
  return (
    <p className="mb-4 rounded-md border border-warn p-3">
      <strong className="text-warn">! {verificationWords[status].title}.</strong>{" "}
      {verificationWords[status].words} <Link href="/ramp/verification">Go to verification</Link>
    </p>
  );
}
