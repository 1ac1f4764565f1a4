import type { Assets, SettlementMethod } from "@slipway/sdk";
import type { FormEvent } from "react";
import { decimal } from "../../lib/figures.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Choice, Field } from "../../parts/fields.tsx";
import { Segments } from "../../parts/segments.tsx";
import { chainName } from "./chains.ts";
import { faultsOf } from "./faults.ts";
import { blockchainFor } from "./order-draft.ts";
import type { OrderForm } from "./order-form.ts";
import { Problems } from "./problems.tsx";
import { RadioList } from "./radio-list.tsx";
import { StepHeading } from "./steps.tsx";
import type { LiveQuote } from "./use-quote.ts";

type Props = {
  form: OrderForm;
  assets: Assets;
  live: LiveQuote;
  isFocused: boolean;
  change(changes: Partial<OrderForm>): void;
  onDone(): void;
};

/** How much of what, on which blockchain, and by which way. */
export function AmountStep({ form, assets, live, isFocused, change, onDone }: Props) {
  const { type, currency, blockchain, isInDollars } = form;
  const token = assets.tokens[currency];
  const faults = faultsOf(live.error, ["sourceQuantity", "destinationQuantity"]);
  const amountFault = faults.at.sourceQuantity ?? faults.at.destinationQuantity;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!live.isGood) await live.renew();
    onDone();
  }

  return (
    <Card>
      <StepHeading isFocused={isFocused}>
        {type === "ON_RAMP" ? "What do you want to buy?" : "What do you want to sell?"}
      </StepHeading>
      <form onSubmit={(event) => void submit(event).catch(() => {})} className="grid gap-4">
        <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_auto]">
          <Field
            label={amountLabel(form)}
            inputMode="decimal"
            autoComplete="off"
            required
            fault={amountFault}
            hint={token && limitsOf(currency, token.limits)}
            value={form.amount}
            onChange={({ currentTarget }) => change({ amount: currentTarget.value })}
          />
          <div className="sm:mt-[1.65rem]">
            <Segments
              label="The amount is in"
              options={[
                { value: "usd", label: "USD" },
                { value: "crypto", label: currency },
              ]}
              value={isInDollars ? "usd" : "crypto"}
              onChange={(unit) => change({ isInDollars: unit === "usd" })}
            />
          </div>
        </div>
        <div className="grid gap-3 sm:grid-cols-2">
          <Choice
            label="Currency"
            value={currency}
            onChange={({ currentTarget }) => {
              const chosen = assets.tokens[currentTarget.value];
              if (!chosen) return;
              change({
                currency: chosen.base,
                blockchain: blockchainFor(chosen.blockchains, blockchain),
              });
            }}
          >
            {Object.values(assets.tokens).map(({ base, name }) => (
              <option key={base} value={base}>
                {base} – {name}
              </option>
            ))}
          </Choice>
          <Choice
            label="Blockchain"
            value={blockchain}
            onChange={({ currentTarget }) => change({ blockchain: currentTarget.value })}
          >
            {token?.blockchains.map((each) => (
              <option key={each} value={each}>
                {chainName(each)}
              </option>
            ))}
          </Choice>
        </div>
        {type === "OFF_RAMP" && (
          <RadioList
            legend="How the dollars reach you"
            options={methods}
            value={form.settlementMethod}
            onChange={(method) => {
              const chosen = methods.find(({ id }) => id === method);
              if (chosen) change({ settlementMethod: chosen.id });
            }}
          />
        )}
        <Problems messages={faults.rest} />
        <div className="flex justify-end">
          <Button look="main" type="submit" disabled={form.amount.trim() === ""}>
            Continue
          </Button>
        </div>
      </form>
    </Card>
  );
}

const methods: readonly { id: SettlementMethod; title: string; detail: string }[] = [
  { id: "ACH", title: "ACH", detail: "Free. Leaves at 17:00 in New York, takes business days." },
  {
    id: "WIRE",
    title: "Wire",
    detail: "For a fee. Leaves at once while New York’s banks are open, until 17:00.",
  },
];

function amountLabel({ type, isInDollars, currency }: OrderForm): string {
  const unit = isInDollars ? "US dollars" : currency;
  const isSource = (type === "ON_RAMP") === isInDollars;
  const verb = type === "ON_RAMP" ? "pay" : "sell";
  return `${unit} you ${isSource ? verb : "get"}`;
}

function limitsOf(currency: string, { min, max }: { min: number; max: number | null }): string {
  const least = `At least ${decimal(min, 8)} ${currency}`;
  return max === null ? `${least}.` : `${least}, at most ${decimal(max, 8)} ${currency}.`;
}
