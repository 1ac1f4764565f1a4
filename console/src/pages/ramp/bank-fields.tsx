import { Button } from "../../parts/button.tsx";
import { Choice, Field } from "../../parts/fields.tsx";
import { mode } from "../../session/session.ts";
import { type BankDraft, exampleBank } from "./bank-draft.ts";
import type { Faults } from "./faults.ts";
import { MagicValues } from "./magic-values.tsx";

type Name = keyof BankDraft;
type Props = {
  draft: BankDraft;
  onChange(draft: BankDraft): void;
  faults: Faults<Name>["at"];
};

/** The names of the fields, as the API names them. */
export const bankFieldNames: readonly Name[] = [
  "routingNumber",
  "accountNumber",
  "fullName",
  "line1",
  "line2",
  "city",
  "province",
  "postalCode",
  "country",
  "phone",
];

/** Everything the API wants to know about a bank account. */
export function BankFields({ draft, onChange, faults }: Props) {
  const field = (name: Name, label: string, autoComplete: string, hint?: string) => (
    <Field
      key={name}
      label={label}
      name={name}
      hint={hint}
      fault={faults[name]}
      autoComplete={autoComplete}
      required={name !== "line2"}
      value={draft[name]}
      onChange={({ currentTarget }) => onChange({ ...draft, [name]: currentTarget.value })}
    />
  );
  return (
    <div className="grid gap-3">
      {mode.value === "sandbox" && (
        <div>
          <Button onClick={() => onChange(exampleBank(Date.now()))}>Fill in an example</Button>
        </div>
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        {field("routingNumber", "Routing number", "off", "Nine digits. The answer names the bank.")}
        {field("accountNumber", "Account number", "off")}
        <Choice
          label="Kind of account"
          value={draft.accountType}
          onChange={({ currentTarget }) =>
            onChange({
              ...draft,
              accountType: currentTarget.value === "savings" ? "savings" : "checking",
            })
          }
        >
          <option value="checking">Checking</option>
          <option value="savings">Savings</option>
        </Choice>
        {field("fullName", "Account holder", "name")}
        {field("line1", "Street and number", "address-line1")}
        {field("line2", "Flat, floor (optional)", "address-line2")}
        {field("city", "City", "address-level2")}
        {field("province", "State", "address-level1")}
        {field("postalCode", "Postal code", "postal-code")}
        {field("country", "Country", "country-name")}
        {field("phone", "Phone", "tel")}
      </div>
      <MagicValues of="bank" />
    </div>
  );
}
