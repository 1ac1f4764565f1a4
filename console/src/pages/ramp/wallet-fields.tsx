import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/fields.tsx";
import { mode } from "../../session/session.ts";
import { chainName, endsOf, exampleAddress } from "./chains.ts";
import { MagicValues } from "./magic-values.tsx";

type Props = {
  blockchain: string;
  address: string;
  onChange(address: string): void;
  fault?: string | undefined;
};

/** An address to fill in, with both its ends to compare. */
export function WalletFields({ blockchain, address, onChange, fault }: Props) {
  return (
    <div className="grid gap-3">
      {mode.value === "sandbox" && (
        <div>
          <Button onClick={() => onChange(exampleAddress(blockchain))}>Fill in an example</Button>
        </div>
      )}
      <Field
        label={`Address on ${chainName(blockchain)}`}
        name="address"
        fault={fault}
        hint={
          blockchain === "solana"
            ? "Addresses on Solana have no check digits: nobody can notice a mistyped one but you."
            : "Its form and its check digits are looked at."
        }
        required
        autoComplete="off"
        spellCheck={false}
        value={address}
        onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
      />
      {address.length > 12 && <AddressEnds address={address} />}
      <MagicValues of="wallet" />
    </div>
  );
}

/** An address whose ends stand out: they are what people compare. */
export function AddressEnds({ address }: { address: string }) {
  const { first, last } = endsOf(address);
  return (
    <p className="font-mono break-all">
      <strong className="text-accent">{first}</strong>
      <span className="text-quiet">{address.slice(first.length, -last.length)}</span>
      <strong className="text-accent">{last}</strong>
    </p>
  );
}
