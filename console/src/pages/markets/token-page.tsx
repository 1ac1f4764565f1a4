import type { DexToken } from "@slipway/sdk";
import { type FormEvent, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { about, aboutDollars, decimal } from "../../lib/figures.ts";
import { Answered } from "../../parts/answered.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Field } from "../../parts/fields.tsx";
import { LongId, Price } from "../../parts/figures.tsx";
import { Page } from "../../parts/page.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { useParam } from "../../shell/use-param.ts";
import { dexPath, type Place } from "./paths.ts";
import { poolColumns } from "./pool-columns.tsx";

const everyMs = 10_000;
const poolsMost = 200;

/** A token of a decentralized exchange: its figures, now or at a block, and its pools. */
export function TokenPage() {
  const place = { exchange: useParam("exchange"), blockchain: useParam("blockchain") };
  const id = useParam("token").toLowerCase();
  const [params] = useSearchParams();
  const block = blockIn(params.get("block"));
  const token = useToken(place, id, block);
  return (
    <Page
      title={token.data ? `${token.data.symbol} · ${token.data.name}` : "Token"}
      subtitle={
        <span className="flex flex-wrap items-center gap-x-2">
          <Link href={dexPath(place)}>
            {place.exchange} on {place.blockchain}
          </Link>
          <LongId of={id} />
          <CopyButton text={id} label="Copy address" />
        </span>
      }
    >
      <div className="grid items-start gap-4 xl:grid-cols-[24rem_minmax(0,1fr)]">
        <Card title={block === undefined ? "Now" : `At block ${block}`}>
          <BlockForm />
          <Answered answer={token} height="20rem">
            {(found) => <Facts facts={factsOf(found)} />}
          </Answered>
        </Card>
        <Pools place={place} token={id} />
      </div>
    </Page>
  );
}

function useToken({ exchange, blockchain }: Place, id: string, block: number | undefined) {
  return useAnswer({
    key: ["dex", exchange, blockchain, "token", id, block],
    ask: (client) =>
      client.dex.token(exchange, blockchain, id, block === undefined ? {} : { block }),
    // The past does not change.
    ...(block === undefined ? { everyMs } : {}),
  });
}

function BlockForm() {
  const [params, setParams] = useSearchParams();
  const [wanted, setWanted] = useState(params.get("block") ?? "");
  function submit(event: FormEvent): void {
    event.preventDefault();
    setParams((before) => {
      const next = new URLSearchParams(before);
      if (blockIn(wanted) === undefined) next.delete("block");
      else next.set("block", wanted);
      return next;
    });
  }
  return (
    <form onSubmit={submit} className="mb-4 flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <Field
          label="As of block"
          hint="Left empty: now."
          inputMode="numeric"
          pattern="[0-9]*"
          value={wanted}
          onChange={({ currentTarget }) => setWanted(currentTarget.value)}
        />
      </div>
      <Button type="submit" className="mt-6 min-h-9">
        Show
      </Button>
    </form>
  );
}

function blockIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function factsOf(token: DexToken) {
  const { symbol } = token;
  return [
    ["Price, in the chain's coin", <Price key="price" of={token.derivedETH} />],
    ["Locked", aboutDollars(token.totalValueLockedUSD)],
    ["Locked, tokens", `${about(token.totalValueLocked)} ${symbol}`],
    ["Locked, untracked", aboutDollars(token.totalValueLockedUSDUntracked)],
    ["Volume", aboutDollars(token.volumeUSD)],
    ["Volume, tokens", `${about(token.volume)} ${symbol}`],
    ["Volume, untracked", aboutDollars(token.untrackedVolumeUSD)],
    ["Fees", aboutDollars(token.feesUSD)],
    ["Transactions", decimal(token.txCount, 0)],
    ["Pools", decimal(token.poolCount, 0)],
    ["Decimals", token.decimals],
    [
      "Supply",
      <span key="supply" title={`${token.supply} in the smallest unit`}>
        {about(wholeTokens(token))} {symbol}
      </span>,
    ],
  ] as const;
}

/** Supplies come in the token's smallest unit. */
function wholeTokens({ supply, decimals }: DexToken): string {
  const unit = 10n ** BigInt(decimals);
  return String(BigInt(supply) / unit);
}

function Pools({ place, token }: { place: Place; token: string }) {
  const { exchange, blockchain } = place;
  const pools = useAnswer({
    key: ["dex", exchange, blockchain, "pools with", token],
    ask: (client) => client.dex.pools(exchange, blockchain, { token, limit: poolsMost }),
    everyMs,
  });
  return (
    <Card title="Pools with this token">
      <Answered answer={pools} height="20rem">
        {(found) => (
          <DataTable
            caption="Pools with this token"
            rows={found}
            keyOf={({ id }) => id}
            columns={poolColumns(place)}
            empty="No pool holds this token."
            {...(found.length > 10 ? { search: "Find a pool" } : {})}
          />
        )}
      </Answered>
    </Card>
  );
}
