import type { ApiKeyWithSecret, Scope } from "@slipway/sdk";
import { type FormEvent, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Fault } from "../../parts/fault.tsx";
import { Choice, Field } from "../../parts/fields.tsx";
import { useOrder } from "../../session/use-answer.ts";

const dayMs = 86_400_000;

/** What each scope lets a key do, in words. */
const meanings: Record<Scope, string> = {
  "data:read": "read market data",
  "ramp:read": "see transactions and payment methods",
  "ramp:transactions:write": "buy and sell",
  "ramp:methods:write": "add wallets and bank accounts",
  "ramp:subaccounts:write": "make subaccounts",
  "ramp:accountnumbers:reveal": "see whole account numbers",
  "webhooks:write": "change webhooks",
  "requests:read": "see the request log",
  "keys:write": "make and end keys",
  operator: "decide as an operator",
};

type Props = { scopes: readonly string[]; onMade(key: ApiKeyWithSecret): void };

/** Makes a key. It can allow what the key in use allows, and nothing else. */
export function NewKeyForm({ scopes, onMade }: Props) {
  const [label, setLabel] = useState("");
  const [days, setDays] = useState("");
  const [chosen, setChosen] = useState<readonly Scope[]>(["data:read"]);
  const offered = (Object.keys(meanings) as Scope[]).filter((scope) => scopes.includes(scope));
  const create = useOrder({
    send: (client, expiresAt: string | undefined) =>
      client.keys.create({ label, scopes: [...chosen], ...(expiresAt && { expiresAt }) }),
    changes: [["keys"]],
    done(key) {
      setLabel("");
      onMade(key);
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    const end = days && new Date(Date.now() + Number(days) * dayMs).toISOString();
    create.mutate(end || undefined);
  }
  const toggle = (scope: Scope) =>
    setChosen(
      chosen.includes(scope) ? chosen.filter((each) => each !== scope) : [...chosen, scope],
    );
  return (
    <form onSubmit={submit} className="grid gap-3">
      <Field
        label="Name"
        hint="So that you know later what it is for."
        required
        maxLength={100}
        value={label}
        onChange={({ currentTarget }) => setLabel(currentTarget.value)}
      />
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-medium">It may</legend>
        {offered.map((scope) => (
          <label key={scope} className="flex items-center gap-2 py-0.5">
            <input
              type="checkbox"
              checked={chosen.includes(scope)}
              onChange={() => toggle(scope)}
              className="size-4 accent-accent"
            />
            <span>{meanings[scope]}</span>
            <code className="ml-auto font-mono text-xs text-quiet">{scope}</code>
          </label>
        ))}
      </fieldset>
      <Choice
        label="Ends"
        value={days}
        onChange={({ currentTarget }) => setDays(currentTarget.value)}
      >
        <option value="">when it is revoked</option>
        <option value="7">in 7 days</option>
        <option value="30">in 30 days</option>
        <option value="365">in a year</option>
      </Choice>
      <Fault of={create.error} />
      <Button
        look="main"
        type="submit"
        disabled={create.isPending || !label || chosen.length === 0}
      >
        Make the key
      </Button>
    </form>
  );
}
