import type { BankAccount, Wallet } from "@slipway/sdk";
import type { FormEvent } from "react";
import { shortened } from "../../lib/figures.ts";
import { Answered } from "../../parts/answered.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { accountEnd, bankRequest } from "./bank-draft.ts";
import { BankFields, bankFieldNames } from "./bank-fields.tsx";
import { chainName } from "./chains.ts";
import { faultsOf } from "./faults.ts";
import type { OrderForm } from "./order-form.ts";
import { Problems } from "./problems.tsx";
import { RadioList } from "./radio-list.tsx";
import { StepHeading } from "./steps.tsx";
import { useFaultFocus } from "./use-fault-focus.ts";
import { useBankAccounts, useNewBankAccount, useNewWallet, useWallets } from "./use-methods.ts";
import { WalletFields } from "./wallet-fields.tsx";

const another = "new";

type Props = {
  form: OrderForm;
  change(changes: Partial<OrderForm>): void;
  onBack(): void;
  onDone(chosen: { walletId: string; bankAccountId: string }): void;
};

/** Which wallet and which bank account: saved ones, or new ones that are saved on the way. */
export function MethodsStep({ form, change, onBack, onDone }: Props) {
  const wallets = useWallets();
  const accounts = useBankAccounts();
  const newWallet = useNewWallet();
  const newAccount = useNewBankAccount();
  const saved = (wallets.data ?? []).filter(({ blockchain }) => blockchain === form.blockchain);
  const walletId = chosenOf(saved, form.walletId);
  const bankAccountId = chosenOf(accounts.data ?? [], form.bankAccountId);
  const walletFaults = faultsOf(newWallet.error, ["address"]);
  const bankFaults = faultsOf(newAccount.error, bankFieldNames);
  const fields = useFaultFocus(newWallet.error ?? newAccount.error);
  const isBusy = newWallet.isPending || newAccount.isPending;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const { blockchain, address, bank } = form;
    const chosenWallet =
      walletId === another ? (await newWallet.mutateAsync({ blockchain, address })).id : walletId;
    // Whatever becomes of the account: the wallet is saved now.
    change({ walletId: chosenWallet });
    const chosenAccount =
      bankAccountId === another
        ? (await newAccount.mutateAsync(bankRequest(bank))).id
        : bankAccountId;
    onDone({ walletId: chosenWallet, bankAccountId: chosenAccount });
  }

  const isSale = form.type === "OFF_RAMP";
  return (
    <Card>
      <StepHeading isFocused>
        {isSale ? "Where it comes from, and where the dollars go" : "Where it goes, and who pays"}
      </StepHeading>
      <form
        ref={fields}
        onSubmit={(event) => void submit(event).catch(() => {})}
        className="grid gap-5"
      >
        <Answered answer={wallets} height="8rem">
          {() => (
            <>
              <RadioList
                legend={
                  isSale
                    ? `The wallet on ${chainName(form.blockchain)} that you send from`
                    : `Your wallet on ${chainName(form.blockchain)}`
                }
                options={[...saved.map(walletOption), { id: another, title: "A new wallet" }]}
                value={walletId}
                onChange={(id) => change({ walletId: id })}
              />
              {walletId === another && (
                <WalletFields
                  blockchain={form.blockchain}
                  address={form.address}
                  onChange={(address) => change({ address })}
                  fault={walletFaults.at.address ?? walletFaults.rest[0]}
                />
              )}
            </>
          )}
        </Answered>
        <Answered answer={accounts} height="8rem">
          {(list) => (
            <>
              <RadioList
                legend={
                  isSale
                    ? "The bank account that gets the dollars"
                    : "The bank account that you wire from"
                }
                options={[...list.map(accountOption), { id: another, title: "A new bank account" }]}
                value={bankAccountId}
                onChange={(id) => change({ bankAccountId: id })}
              />
              {bankAccountId === another && (
                <BankFields
                  draft={form.bank}
                  onChange={(bank) => change({ bank })}
                  faults={bankFaults.at}
                />
              )}
            </>
          )}
        </Answered>
        <Problems messages={bankFaults.rest} />
        <div className="flex justify-between gap-3">
          <Button onClick={onBack}>Back</Button>
          <Button look="main" type="submit" disabled={isBusy || !wallets.data || !accounts.data}>
            {isBusy ? "Checking…" : "Continue"}
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** What was chosen if it is still there, otherwise the newest, otherwise a new one. */
function chosenOf(methods: readonly { id: string }[], chosen: string | undefined): string {
  const isThere = chosen === another || methods.some(({ id }) => id === chosen);
  return isThere && chosen !== undefined ? chosen : (methods[0]?.id ?? another);
}

function walletOption({ id, address }: Wallet) {
  return { id, title: <span className="font-mono">{shortened(address, 8)}</span>, detail: id };
}

function accountOption({ id, bankName, accountNumber, billingDetails }: BankAccount) {
  return {
    id,
    title: `${bankName} ${accountEnd(accountNumber)}`,
    detail: `${billingDetails.fullName} · ${id}`,
  };
}
