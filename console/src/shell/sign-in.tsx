import { type FormEvent, useState } from "react";
import { Button } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Field } from "../parts/fields.tsx";
import { signIn } from "../session/session.ts";

/** Asks for a key. It stays in this tab and is forgotten with it. */
export function SignIn() {
  const [key, setKey] = useState("");
  const [operatorKey, setOperatorKey] = useState("");
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (key) signIn("account", key);
    if (operatorKey) signIn("operator", operatorKey);
  }
  return (
    <div className="mx-auto mt-10 max-w-lg">
      <Card title="Sign in with an API key">
        <form onSubmit={submit} className="grid gap-4">
          <p className="text-quiet">
            <code className="font-mono">slipway keys create</code> makes one. It stays in this tab
            and is forgotten when the tab is closed.
          </p>
          <Field
            label="API key"
            type="password"
            autoComplete="off"
            value={key}
            onChange={({ currentTarget }) => setKey(currentTarget.value.trim())}
          />
          <Field
            label="Operator's key"
            hint="Only for the pages under Operate."
            type="password"
            autoComplete="off"
            value={operatorKey}
            onChange={({ currentTarget }) => setOperatorKey(currentTarget.value.trim())}
          />
          <Button look="main" type="submit" disabled={!key && !operatorKey}>
            Sign in
          </Button>
        </form>
      </Card>
    </div>
  );
}
