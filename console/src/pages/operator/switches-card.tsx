import { type FormEvent, useState } from "react";
import { Answered } from "../../parts/answered.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Fault } from "../../parts/fault.tsx";
import { Field } from "../../parts/fields.tsx";
import { When } from "../../parts/figures.tsx";
import { useAnswer, useOrder } from "../../session/use-answer.ts";

const changes = [["operator"]];

/** What operators have switched off. */
export function SwitchesCard() {
  const [name, setName] = useState("");
  const [reason, setReason] = useState("");
  const switches = useAnswer({
    key: ["operator", "switches"],
    role: "operator",
    ask: (client) => client.operator.killSwitches.list(),
  });
  const set = useOrder({
    role: "operator",
    send: (client, _: undefined) => client.operator.killSwitches.set(name, reason),
    changes,
    done() {
      setName("");
      setReason("");
    },
  });
  const clear = useOrder({
    role: "operator",
    send: (client, cleared: string) => client.operator.killSwitches.clear(cleared),
    changes,
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    set.mutate(undefined);
  }
  return (
    <Card title="Switched off">
      <Answered answer={switches} height="4rem">
        {(list) => (
          <ul className="mb-3 grid gap-2">
            {list.map((each) => (
              <li key={each.name} className="flex items-center justify-between gap-2">
                <span>
                  <code className="font-mono text-warn">{each.name}</code>{" "}
                  <span className="text-quiet">
                    {each.reason}, <When at={each.setAt} />
                  </span>
                </span>
                <Button onClick={() => clear.mutate(each.name)}>Switch on</Button>
              </li>
            ))}
            {list.length === 0 && <li className="text-quiet">✓ Nothing is switched off.</li>}
          </ul>
        )}
      </Answered>
      <form onSubmit={submit} className="grid gap-2">
        <Field
          label="Switch off"
          list="switches"
          required
          hint="payouts, rail:ach, rail:wire, token:USDC, blockchain:base"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value.trim())}
        />
        <datalist id="switches">
          <option value="payouts" />
          <option value="rail:ach" />
          <option value="rail:wire" />
        </datalist>
        <Field
          label="Why"
          required
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <Fault of={set.error ?? clear.error} />
        <Button look="danger" type="submit" disabled={!name || !reason}>
          Switch off
        </Button>
      </form>
    </Card>
  );
}
