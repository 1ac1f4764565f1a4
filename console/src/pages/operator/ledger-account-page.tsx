import { Answered } from "../../parts/answered.tsx";
import { Card } from "../../parts/card.tsx";
import { Page } from "../../parts/page.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { useParam } from "../../shell/use-param.ts";
import { Postings } from "./postings.tsx";

/** How the balance of one account came about. */
export function LedgerAccountPage() {
  const account = useParam("account");
  const entries = useAnswer({
    key: ["operator", "entries", account],
    role: "operator",
    everyMs: 10_000,
    ask: (client) => client.operator.ledger.entries(account, { limit: 500 }),
  });
  return (
    <Page title={account} subtitle="An account of the ledger: its newest 500 postings.">
      <Card>
        <Answered answer={entries} height="30rem">
          {(list) => <Postings lines={list} />}
        </Answered>
      </Card>
    </Page>
  );
}
