import { Link } from "wouter";
import { Answered } from "../../parts/answered.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { Instructions } from "./instructions.tsx";
import { StepHeading } from "./steps.tsx";

type Props = { transactionId: string; onAnother(): void };

/** What was ordered waits for its money: here is how to pay. */
export function PayStep({ transactionId, onAnother }: Props) {
  const instructions = useAnswer({
    key: ["ramp", "transaction", transactionId, "instructions"],
    ask: (client) => client.ramp.transactions.instructions(transactionId),
  });
  return (
    <div className="max-w-2xl">
      <Card>
        <StepHeading isFocused>
          {instructions.data?.method === "CRYPTO" ? "Send the crypto" : "Send the wire"}
        </StepHeading>
        <Answered answer={instructions} height="24rem">
          {(found) => <Instructions of={found} />}
        </Answered>
        <div className="mt-4 flex flex-wrap justify-between gap-3 border-t border-line pt-4 print:hidden">
          <Button onClick={onAnother}>Order something else</Button>
          <Link
            href={`/ramp/transactions/${transactionId}`}
            className="inline-flex min-h-8 items-center rounded-md bg-accent px-3 py-1 font-medium text-on-accent!"
          >
            Follow it
          </Link>
        </div>
      </Card>
    </div>
  );
}
