import { Answered } from "../../parts/answered.tsx";
import { Card } from "../../parts/card.tsx";
import { useAnswer } from "../../session/use-answer.ts";

const everyMs = 15_000;

/** Whether the books are right, check by check. */
export function InvariantsCard() {
  const invariants = useAnswer({
    key: ["operator", "invariants"],
    role: "operator",
    everyMs,
    ask: (client) => client.operator.invariants(),
  });
  return (
    <Card title="Are the books right?">
      <Answered answer={invariants} height="12rem">
        {({ checks }) => (
          <ul className="grid gap-1">
            {checks.map(({ id, ok, detail }) => (
              <li key={id} className="flex gap-2">
                <span className={ok ? "text-up" : "text-bad"}>{ok ? "✓" : "✗"}</span>
                <span className="min-w-0">
                  <span className="font-medium">{id}</span>{" "}
                  <span className="text-quiet">{detail}</span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Answered>
    </Card>
  );
}
