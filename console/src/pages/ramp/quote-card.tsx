import type { Quote, RampType } from "@slipway/sdk";
import { decimal, dollars, price } from "../../lib/figures.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Facts } from "../../parts/facts.tsx";
import { bankDays, cutOffWords } from "./bank-days.ts";
import { chainName } from "./chains.ts";
import { countdown } from "./spans.ts";
import type { LiveQuote } from "./use-quote.ts";
import { useRampNow } from "./use-ramp-now.ts";

/** What it comes to: everything that is paid, got and charged, before anything personal is asked. */
export function QuoteCard({ type, live }: { type: RampType; live: LiveQuote }) {
  const { quote, isPending, isExpired, leftMs, renew } = live;
  const now = useRampNow();
  const isOld = isPending || !live.isGood;
  return (
    <Card title="What it comes to">
      <div className={isOld && quote ? "opacity-60" : ""} aria-busy={isPending}>
        <Facts
          facts={[
            [
              type === "ON_RAMP" ? "You pay" : "You sell",
              <Amount key="pay" quote={quote} side="source" />,
            ],
            ["You get", <Amount key="get" quote={quote} side="destination" />],
            ["Price", quote ? `1 ${quote.currency} = $${price(quote.priceUsd)}` : "–"],
            ["Fee", quote ? feeWords(quote) : "–"],
            ...(type === "OFF_RAMP" ? saleFacts(quote, now) : []),
          ]}
        />
      </div>
      <p role="status" className="sr-only">
        {quote && !isOld && `${paid(quote)} for ${got(quote)}.`}
      </p>
      <div className="mt-3 flex min-h-8 items-center justify-between gap-3 border-t border-line pt-3">
        <span className={isExpired ? "text-warn" : "text-quiet"}>{holds(live, leftMs)}</span>
        <Button onClick={() => void renew().catch(() => {})} disabled={!quote || isPending}>
          Renew
        </Button>
      </div>
      <p className="mt-2 text-xs text-quiet">
        {type === "ON_RAMP"
          ? "Stablecoins keep this price. Anything else is bought at the price of the moment when your wire arrives."
          : "The price holds if your crypto is in a block within 15 minutes of the order."}
      </p>
    </Card>
  );
}

/** What goes out, with its currency. */
export function paid({ type, sourceQuantity, currency }: Quote): string {
  return type === "ON_RAMP"
    ? dollars(sourceQuantity)
    : `${decimal(sourceQuantity, 18)} ${currency}`;
}

/** What comes in, with its currency. */
export function got({ type, destinationQuantity, currency }: Quote): string {
  return type === "ON_RAMP"
    ? `${decimal(destinationQuantity, 18)} ${currency}`
    : dollars(destinationQuantity);
}

function Amount({ quote, side }: { quote: Quote | undefined; side: "source" | "destination" }) {
  if (!quote) return "–";
  const isCrypto = (quote.type === "OFF_RAMP") === (side === "source");
  return (
    <>
      <span className="text-base font-semibold">
        {side === "source" ? paid(quote) : got(quote)}
      </span>
      {isCrypto && <span className="block text-quiet">on {chainName(quote.blockchain)}</span>}
    </>
  );
}

function feeWords({ feeUsd, type }: Quote): string {
  if (/^[0.]+$/.test(feeUsd)) return "none";
  return `${dollars(feeUsd)}, ${type === "OFF_RAMP" ? "taken from what you get" : "included"}`;
}

function saleFacts(quote: Quote | undefined, now: number): [string, string][] {
  const { estimatedSendDate: sent, estimatedSettlementDate: settled } = quote ?? {};
  return [
    ["Sent", sent ? cutOffWords(sent, now).replace(/^sent /, "") : "–"],
    ["Expected", settled ? bankDays(settled) : "–"],
  ];
}

function holds({ quote, isExpired, isPending }: LiveQuote, leftMs: number): string {
  if (isPending) return "Asking for the price…";
  if (!quote) return "No quote yet";
  return isExpired ? "This quote has expired" : `Holds for ${countdown(leftMs)}`;
}
