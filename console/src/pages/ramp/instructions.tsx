import type { TransactionInstructions } from "@slipway/sdk";
import { lazy, type ReactNode, Suspense } from "react";
import { decimal, dollars } from "../../lib/figures.ts";
import { dateTime, millisecondsOf } from "../../lib/times.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { chainName } from "./chains.ts";
import { longSpan } from "./spans.ts";
import { useRampNow } from "./use-ramp-now.ts";
import { AddressEnds } from "./wallet-fields.tsx";

const QrCode = lazy(() => import("./qr-code.tsx").then((module) => ({ default: module.QrCode })));

type Wire = Extract<TransactionInstructions, { method: "WIRE" }>;
type Crypto = Extract<TransactionInstructions, { method: "CRYPTO" }>;

/** How the customer pays in. */
export function Instructions({ of: instructions }: { of: TransactionInstructions }) {
  return instructions.method === "WIRE" ? (
    <WireInstructions of={instructions} />
  ) : (
    <DepositInstructions of={instructions} />
  );
}

function WireInstructions({ of: wire }: { of: Wire }) {
  return (
    <div className="grid gap-4">
      <div className="rounded-md border border-accent bg-raised p-4 text-center">
        <p className="text-quiet">This reference has to stand on the wire</p>
        <p className="my-1 font-mono text-2xl font-semibold tracking-wide sm:text-3xl">
          {wire.reference}
        </p>
        <Copy text={wire.reference} what="the reference" />
      </div>
      <dl>
        <Line name="Amount" text={wire.amountUsd ?? ""}>
          {wire.amountUsd === null ? "any" : dollars(wire.amountUsd)}
        </Line>
        <Line name="Beneficiary" text={wire.beneficiaryName} />
        <Line name="Their address" text={wire.beneficiaryAddress} />
        <Line name="Bank" text={wire.bankName} />
        <Line name="Routing number" text={wire.routingNumber} />
        <Line name="Account number" text={wire.accountNumber} />
      </dl>
      <p className="text-quiet">
        Send it from a bank account in your own name, <Until at={wire.expiresAt} />.
      </p>
      <div className="print:hidden">
        <Button onClick={() => print()}>Print, or save as PDF</Button>
      </div>
    </div>
  );
}

function DepositInstructions({ of: deposit }: { of: Crypto }) {
  const chain = chainName(deposit.blockchain);
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-[11rem_minmax(0,1fr)]">
        <div className="mx-auto size-44">
          <Suspense fallback={<div className="size-full animate-pulse rounded-md bg-raised" />}>
            <QrCode text={deposit.address} />
          </Suspense>
        </div>
        <div className="grid content-start gap-2">
          <p className="text-2xl font-semibold">{chain}</p>
          <AddressEnds address={deposit.address} />
          <div>
            <Copy text={deposit.address} what="the address" />
          </div>
        </div>
      </div>
      <p className="rounded-md border border-warn p-3 text-warn">
        ! Send only {deposit.currency}, and only on {chain}. Anything else may be lost, or takes
        days to come back.
      </p>
      <dl>
        <Line name="Quantity" text={deposit.quantity ?? ""}>
          {decimal(deposit.quantity, 18)} {deposit.currency}
        </Line>
      </dl>
      <p className="text-quiet">
        The price holds <Until at={deposit.priceLockedUntil} />. The address is waited at{" "}
        <Until at={deposit.expiresAt} />.
      </p>
    </div>
  );
}

function Line({ name, text, children }: { name: string; text: string; children?: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-3 border-b border-line py-1">
      <dt className="text-quiet">{name}</dt>
      <dd className="flex min-w-0 items-center gap-1 text-right">
        <span className="min-w-0 break-words">{children ?? text}</span>
        {text && <Copy text={text} what={name.toLowerCase()} />}
      </dd>
    </div>
  );
}

function Copy({ text, what }: { text: string; what: string }) {
  return (
    <span className="print:hidden">
      <CopyButton
        text={text}
        label={
          <span>
            Copy<span className="sr-only"> {what}</span>
          </span>
        }
      />
    </span>
  );
}

function Until({ at }: { at: string }) {
  const left = millisecondsOf(at) - useRampNow();
  return (
    <>
      until <time dateTime={at}>{dateTime(at)}</time>
      {left > 0 ? ` (${longSpan(left)} left)` : " (over)"}
    </>
  );
}
