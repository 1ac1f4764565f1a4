import { useChannel } from "../../live/use-channel.ts";
import { useAnswer } from "../../session/use-answer.ts";

/** Not every step of a transaction is an event, so it is asked for in between too. */
const everyMs = 5_000;
const eventsMost = 200;

/** A transaction, where it stands and how to pay in, as it is now. */
export function useTracked(id: string) {
  return useAnswer({
    key: keyOf(id),
    everyMs,
    ask: async (client) => {
      const found = await client.ramp.transactions.get(id, { expand: "status,instructions" });
      const { status, instructions } = found;
      if (!status || !instructions) throw new Error("The answer lacks what was asked for.");
      return { ...found, status, instructions };
    },
  });
}

/** A transaction with everything about it, as it is now. */
export function useTransaction(id: string) {
  const key = keyOf(id);
  const transaction = useTracked(id);
  const events = useAnswer({
    key: [...key, "events"],
    everyMs,
    ask: (client) => client.ramp.transactions.events(id, { limit: eventsMost }),
  });
  const ledger = useAnswer({
    key: [...key, "ledger"],
    everyMs,
    ask: (client) => client.ramp.transactions.ledger(id),
  });
  useChannel(`ramp.transactions:${id}`, ({ type }) => {
    if (type !== "event" && type !== "gap") return;
    for (const answer of [transaction, events, ledger]) void answer.refetch();
  });
  return { transaction, events, ledger };
}

/** A transaction with where it stands and how to pay in. */
export type TrackedTransaction = NonNullable<ReturnType<typeof useTracked>["data"]>;

function keyOf(id: string): string[] {
  return ["ramp", "transaction", id];
}
