import type { BankAccount, Wallet } from "@slipway/sdk";
import { type FormEvent, useState } from "react";
import { dateOf } from "../../lib/times.ts";
import { Answered } from "../../parts/answered.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { Fault } from "../../parts/fault.tsx";
import { Choice } from "../../parts/fields.tsx";
import { LongId } from "../../parts/figures.tsx";
import { Page } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useAnswer, useOrder } from "../../session/use-answer.ts";
import { accountEnd, bankRequest, emptyBank } from "./bank-draft.ts";
import { BankFields, bankFieldNames } from "./bank-fields.tsx";
import { chainName } from "./chains.ts";
import { faultsOf } from "./faults.ts";
import { Problems } from "./problems.tsx";
import { useFaultFocus } from "./use-fault-focus.ts";
import { useBankAccounts, useNewBankAccount, useNewWallet, useWallets } from "./use-methods.ts";
import { WalletFields } from "./wallet-fields.tsx";

/** Where crypto and dollars may come from and go to. */
export function MethodsPage() {
  return (
    <Page
      title="Payment methods"
      subtitle="The wallets and bank accounts that you buy and sell with."
    >
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <WalletsCard />
        <AccountsCard />
      </div>
    </Page>
  );
}

function WalletsCard() {
  const wallets = useWallets();
  const [isAdding, setAdding] = useState(false);
  const remove = useOrder({
    send: (client, id: string) => client.ramp.wallets.delete(id),
    changes: [["ramp", "wallets"]],
  });
  const columns: Column<Wallet>[] = [
    {
      header: "Address",
      cell: ({ id, address }) => (
        <>
          <LongId of={address} />
          <div className="text-xs text-quiet">{id}</div>
        </>
      ),
    },
    { header: "Blockchain", cell: ({ blockchain }) => chainName(blockchain) },
    { header: "Added", isExtra: true, cell: ({ createdAt }) => dateOf(createdAt) },
    {
      header: "Delete",
      isFigure: true,
      cell: ({ id, address }) => (
        <ConfirmButton
          label="Delete"
          question="Delete this wallet?"
          action="Delete it"
          onConfirm={() => remove.mutate(id)}
        >
          <p className="font-mono break-all">{address}</p>
        </ConfirmButton>
      ),
    },
  ];
  return (
    <Card title="Wallets" actions={<AddButton isAdding={isAdding} onToggle={setAdding} />}>
      {isAdding && <NewWallet onDone={() => setAdding(false)} />}
      <Fault of={remove.error} />
      <Answered answer={wallets} height="10rem">
        {(list) => (
          <Table
            caption="Wallets"
            columns={columns}
            rows={list}
            keyOf={({ id }) => id}
            empty="No wallet yet. Add one here, or while you buy or sell."
          />
        )}
      </Answered>
    </Card>
  );
}

function AccountsCard() {
  const accounts = useBankAccounts();
  const [isAdding, setAdding] = useState(false);
  const remove = useOrder({
    send: (client, id: string) => client.ramp.bankAccounts.delete(id),
    changes: [["ramp", "bank accounts"]],
  });
  const columns: Column<BankAccount>[] = [
    {
      header: "Bank",
      cell: ({ id, bankName, routingNumber }) => (
        <>
          {bankName}
          <div className="text-xs text-quiet">
            {routingNumber} · {id}
          </div>
        </>
      ),
    },
    { header: "Account", cell: ({ accountNumber }) => accountEnd(accountNumber) },
    { header: "Holder", isExtra: true, cell: ({ billingDetails }) => billingDetails.fullName },
    {
      header: "Delete",
      isFigure: true,
      cell: ({ id, bankName, accountNumber }) => (
        <ConfirmButton
          label="Delete"
          question="Delete this bank account?"
          action="Delete it"
          onConfirm={() => remove.mutate(id)}
        >
          <p>
            {bankName} {accountEnd(accountNumber)}
          </p>
        </ConfirmButton>
      ),
    },
  ];
  return (
    <Card title="Bank accounts" actions={<AddButton isAdding={isAdding} onToggle={setAdding} />}>
      {isAdding && <NewAccount onDone={() => setAdding(false)} />}
      <Fault of={remove.error} />
      <Answered answer={accounts} height="10rem">
        {(list) => (
          <Table
            caption="Bank accounts"
            columns={columns}
            rows={list}
            keyOf={({ id }) => id}
            empty="No bank account yet. Add one here, or while you buy or sell."
          />
        )}
      </Answered>
    </Card>
  );
}

function AddButton({ isAdding, onToggle }: { isAdding: boolean; onToggle(next: boolean): void }) {
  return (
    <Button onClick={() => onToggle(!isAdding)} aria-expanded={isAdding}>
      {isAdding ? "Close" : "Add"}
    </Button>
  );
}

function NewWallet({ onDone }: { onDone(): void }) {
  const [blockchain, setBlockchain] = useState("base");
  const [address, setAddress] = useState("");
  const chains = useAnswer({
    key: ["ramp", "blockchains"],
    ask: (client) => client.ramp.blockchains(),
  });
  const create = useNewWallet();
  const faults = faultsOf(create.error, ["address"]);
  const fields = useFaultFocus(create.error);
  function submit(event: FormEvent): void {
    event.preventDefault();
    create.mutate({ blockchain, address }, { onSuccess: onDone });
  }
  return (
    <form ref={fields} onSubmit={submit} className="mb-4 grid gap-3 border-b border-line pb-4">
      <Choice
        label="Blockchain"
        value={blockchain}
        onChange={({ currentTarget }) => setBlockchain(currentTarget.value)}
      >
        {(chains.data ?? [blockchain]).map((each) => (
          <option key={each} value={each}>
            {chainName(each)}
          </option>
        ))}
      </Choice>
      <WalletFields
        blockchain={blockchain}
        address={address}
        onChange={setAddress}
        fault={faults.at.address ?? faults.rest[0]}
      />
      <div className="flex justify-end">
        <Button look="main" type="submit" disabled={create.isPending}>
          Add the wallet
        </Button>
      </div>
    </form>
  );
}

function NewAccount({ onDone }: { onDone(): void }) {
  const [draft, setDraft] = useState(emptyBank);
  const create = useNewBankAccount();
  const faults = faultsOf(create.error, bankFieldNames);
  const fields = useFaultFocus(create.error);
  function submit(event: FormEvent): void {
    event.preventDefault();
    create.mutate(bankRequest(draft), { onSuccess: onDone });
  }
  return (
    <form ref={fields} onSubmit={submit} className="mb-4 grid gap-3 border-b border-line pb-4">
      <BankFields draft={draft} onChange={setDraft} faults={faults.at} />
      <Problems messages={faults.rest} />
      <div className="flex justify-end">
        <Button look="main" type="submit" disabled={create.isPending}>
          Add the bank account
        </Button>
      </div>
    </form>
  );
}
