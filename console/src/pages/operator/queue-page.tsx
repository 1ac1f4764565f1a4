import { type KeyboardEvent, useRef } from "react";
import { Link } from "wouter";
import { millisecondsOf, span } from "../../lib/times.ts";
import { useNow } from "../../lib/use-now.ts";
import { Answered } from "../../parts/answered.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Card } from "../../parts/card.tsx";
import { When } from "../../parts/figures.tsx";
import { Page } from "../../parts/page.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { InvariantsCard } from "./invariants-card.tsx";
import { queueOf, type Waiting } from "./queue.ts";
import { SwitchesCard } from "./switches-card.tsx";

const everyMs = 3_000;
const limit = 100;

/** Everything that waits for a person, in one list. */
export function QueuePage() {
  const waiting = useAnswer({
    key: ["operator", "queue"],
    role: "operator",
    everyMs,
    async ask({ operator }) {
      const [reviews, accounts, wires, deposits, payouts, files] = await Promise.all([
        operator.reviews({ limit }),
        operator.verifications.list({ limit }),
        operator.wires.list({ limit, state: "suspense" }),
        operator.deposits.list({ limit, use: "suspense" }),
        operator.payouts({ limit, state: "failed" }),
        operator.bankFiles.list({ limit, state: "held" }),
      ]);
      return queueOf({ reviews, accounts, wires, deposits, payouts, files });
    },
  });
  return (
    <Page title="Queue" subtitle="Everything that waits for a person. J and K move, Enter opens.">
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <Card title={`Waiting${waiting.data ? ` (${waiting.data.length})` : ""}`}>
          <Answered answer={waiting} height="20rem">
            {(queue) => <Queue queue={queue} />}
          </Answered>
        </Card>
        <div className="grid content-start gap-4">
          <InvariantsCard />
          <SwitchesCard />
        </div>
      </div>
    </Page>
  );
}

function Queue({ queue }: { queue: readonly Waiting[] }) {
  const list = useRef<HTMLUListElement>(null);
  const now = useNow();

  function move(event: KeyboardEvent): void {
    const step = { j: 1, k: -1 }[event.key.toLowerCase()];
    if (step === undefined || event.ctrlKey || event.metaKey) return;
    const links = [...(list.current?.querySelectorAll("a") ?? [])];
    const at = links.findIndex((link) => link.matches(":focus"));
    links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus();
  }

  if (queue.length === 0) {
    return (
      <p className="py-10 text-center text-quiet">✓ Nothing waits. Everything moves by itself.</p>
    );
  }
  return (
    <ul ref={list} onKeyDown={move} className="divide-y divide-line">
      {queue.map(({ id, kind, title, detail, since, deadline, path }) => (
        <li key={`${kind} ${id}`}>
          <Link
            href={path}
            className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 rounded-md px-2 py-2 text-text no-underline! hover:bg-raised"
          >
            <span className="flex min-w-0 flex-wrap items-center gap-2">
              <Badge>{kind}</Badge>
              <span className="font-medium break-words">{title}</span>
            </span>
            <span className="text-right text-xs text-quiet">
              <When at={since} />
            </span>
            <span className="text-quiet">{detail}</span>
            <span className="text-right text-xs">
              {deadline && (
                <span className="text-warn">
                  decides itself in {span(millisecondsOf(deadline) - now)}
                </span>
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
