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
      <Answered answer={invariants} height="2rem">
        {({ ok, checks }) => (
          <details open={!ok}>
            <summary className={ok ? "text-up" : "text-bad"}>
              {ok ? `✓ All ${checks.length} checks hold` : "✗ The books are wrong: stop payouts"}
            </summary>
            <ul className="mt-2 grid gap-1">
              {checks.map((check) => (
                <li key={check.id} className="flex gap-2">
                  <span className={check.ok ? "text-up" : "text-bad"}>{check.ok ? "✓" : "✗"}</span>
                  <span className="min-w-0 text-quiet">{check.detail}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </Answered>
    </Card>
  );
}
