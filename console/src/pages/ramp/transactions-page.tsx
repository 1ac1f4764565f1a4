import type {
  RampTransaction,
  RampType,
  SettlementMethod,
  TransactionListOptions,
} from "@slipway/sdk";
import { Link, useSearchParams } from "wouter";
import { decimal, dollars } from "../../lib/figures.ts";
import { dateTime } from "../../lib/times.ts";
import { useChannel } from "../../live/use-channel.ts";
import { useFallback } from "../../live/use-fallback.ts";
import { Answered } from "../../parts/answered.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Card } from "../../parts/card.tsx";
import { Choice } from "../../parts/fields.tsx";
import { Page } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { chainName } from "./chains.ts";
import { outcomeOf, states } from "./words.ts";

const pageSize = 25;
const types: readonly RampType[] = ["ON_RAMP", "OFF_RAMP"];
const methods: readonly SettlementMethod[] = ["ACH", "WIRE"];

/** The account's own transactions, newest first. */
export function TransactionsPage() {
  const [params, setParams] = useSearchParams();
  const options = optionsOf(params);
  const transactions = useAnswer({
    key: ["ramp", "transactions", options],
    ...useFallback(),
    ask: (client) => client.ramp.transactions.list(options),
  });
  useChannel("ramp.transactions", ({ type }) => {
    if (type === "event" || type === "gap") void transactions.refetch();
  });
  const choose = (changes: Record<string, string>) =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      // What is older than a transaction is another page of another list.
      next.delete("after");
      for (const [name, value] of Object.entries(changes)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      return next;
    });
  const isFiltered = [...params.keys()].length > 0;
  return (
    <Page
      title="Transactions"
      subtitle="What you bought and sold, newest first."
      actions={
        <>
          <Link href="/ramp/buy">Buy</Link> <Link href="/ramp/sell">Sell</Link>
        </>
      }
    >
      <Card>
        <div className="mb-3 grid gap-3 sm:grid-cols-3 xl:max-w-3xl">
          <Choice
            label="What"
            value={options.type ?? ""}
            onChange={({ currentTarget }) => choose({ type: currentTarget.value })}
          >
            <option value="">purchases and sales</option>
            <option value="ON_RAMP">purchases</option>
            <option value="OFF_RAMP">sales</option>
          </Choice>
          <Choice
            label="By"
            value={options.settlementMethod ?? ""}
            onChange={({ currentTarget }) => choose({ by: currentTarget.value })}
          >
            <option value="">ACH and wire</option>
            <option value="ACH">ACH</option>
            <option value="WIRE">wire</option>
          </Choice>
          <Choice
            label="State"
            value={options.state ?? ""}
            onChange={({ currentTarget }) => choose({ state: currentTarget.value })}
          >
            <option value="">any</option>
            {states.map((state) => (
              <option key={state} value={state}>
                {state.replaceAll("_", " ").toLowerCase()}
              </option>
            ))}
          </Choice>
        </div>
        <Answered answer={transactions} height="20rem">
          {(found) => (
            <>
              <Table
                caption="Transactions, newest first"
                columns={columns}
                rows={found.slice(0, pageSize)}
                keyOf={({ id }) => id}
                empty={isFiltered ? "None fits. Choose something else above." : <Nothing />}
              />
              <nav aria-label="Pages of the list" className="mt-3 flex justify-between gap-3">
                {options.after ? (
                  <Link href={`?${withAfter(params, undefined)}`}>« Newest</Link>
                ) : (
                  <span />
                )}
                {found.length > pageSize && (
                  <Link href={`?${withAfter(params, found[pageSize - 1]?.id)}`}>Older »</Link>
                )}
              </nav>
            </>
          )}
        </Answered>
      </Card>
    </Page>
  );
}

function Nothing() {
  return (
    <>
      Nothing yet. <Link href="/ramp/buy">Buy</Link> or <Link href="/ramp/sell">sell</Link>{" "}
      something: in the sandbox that takes a minute and costs nothing.
    </>
  );
}

/** One more than is shown, to know whether there is another page. What the address has wrong is left out. */
function optionsOf(params: URLSearchParams): TransactionListOptions {
  const type = types.find((each) => each === params.get("type"));
  const settlementMethod = methods.find((each) => each === params.get("by"));
  const state = states.find((each) => each === params.get("state"));
  const after = params.get("after");
  return {
    limit: pageSize + 1,
    ...(type && { type }),
    ...(settlementMethod && { settlementMethod }),
    ...(state && { state }),
    ...(after && { after }),
  };
}

function withAfter(params: URLSearchParams, after: string | undefined): string {
  const next = new URLSearchParams(params);
  if (after === undefined) next.delete("after");
  else next.set("after", after);
  return next.toString();
}

const columns: Column<RampTransaction>[] = [
  {
    header: "Transaction",
    cell: ({ id, type, settlementMethod }) => (
      <>
        <Link href={`/ramp/transactions/${id}`} className="font-mono">
          {id}
        </Link>
        <div className="text-xs text-quiet">
          {type === "ON_RAMP" ? "purchase" : "sale"} by {settlementMethod}
        </div>
      </>
    ),
  },
  {
    header: "Dollars",
    isFigure: true,
    cell: ({ type, sourceOrder, destinationOrder }) =>
      dollars((type === "ON_RAMP" ? sourceOrder : destinationOrder).quantity),
  },
  {
    header: "Crypto",
    isFigure: true,
    isExtra: true,
    cell: ({ type, sourceOrder, destinationOrder }) => {
      const { quantity, currency, blockchain } =
        type === "ON_RAMP" ? destinationOrder : sourceOrder;
      return (
        <>
          {decimal(quantity, 8)} {currency}
          <div className="text-xs text-quiet">on {chainName(blockchain ?? "")}</div>
        </>
      );
    },
  },
  {
    header: "Outcome",
    cell: (transaction) => {
      const { tone, words } = outcomeOf(transaction);
      return <Badge tone={tone}>{words}</Badge>;
    },
  },
  { header: "Ordered", isExtra: true, cell: ({ createdAt }) => dateTime(createdAt) },
];
