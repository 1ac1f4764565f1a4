import { Link } from "wouter";
import { Answered } from "../../parts/answered.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Instructions } from "./instructions.tsx";
import { StepHeading } from "./steps.tsx";
import { useTracked } from "./use-transaction.ts";
import { isAwaited } from "./words.ts";

type Props = { transactionId: string; onAnother(): void };

/** What was ordered waits for its money: here is how to pay. */
export function PayStep({ transactionId, onAnother }: Props) {
  const transaction = useTracked(transactionId);
  return (
    <div className="max-w-2xl">
      <Card>
        <StepHeading isFocused>
          {transaction.data?.type === "OFF_RAMP" ? "Send the crypto" : "Send the wire"}
        </StepHeading>
        <Answered answer={transaction} height="24rem">
          {({ status, instructions }) =>
            isAwaited(status) ? (
              <Instructions of={instructions} />
            ) : (
              <p className="text-lg">{status.explanation}</p>
            )
          }
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
