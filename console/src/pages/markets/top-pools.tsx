import type { DexExchange } from "@slipway/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { aboutDollars } from "../../lib/figures.ts";
import { useChannel } from "../../live/use-channel.ts";
import { Answered } from "../../parts/answered.tsx";
import { Card } from "../../parts/card.tsx";
import { Table } from "../../parts/table.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { dexPath, type Place } from "./paths.ts";
import { PoolName } from "./pool-name.tsx";
import { PoolPrice } from "./pool-price.tsx";

const everyMs = 10_000;
const shownMost = 6;
const shownLeast = 3;

type TitledPlace = Place & { title: string };

/** The pools with the most locked in them. */
export function TopPools() {
  const exchanges = useAnswer({ key: ["dex"], ask: (client) => client.dex.exchanges() });
  return (
    <Card title="Pools" actions={<Link href="/dex">All chains</Link>}>
      <Answered answer={exchanges} height="15rem">
        {(found) => <Places places={placesOf(found)} />}
      </Answered>
    </Card>
  );
}

function Places({ places }: { places: readonly TitledPlace[] }) {
  if (places.length === 0) {
    return (
      <p className="py-6 text-center text-quiet">
        No chain is indexed. Name one under <code className="font-mono">chains</code> in
        slipway.yaml, with the URL of a node.
      </p>
    );
  }
  const each = Math.max(shownLeast, Math.floor(shownMost / places.length));
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      {places.map((place) => (
        <PoolsOf key={place.title} place={place} count={each} />
      ))}
    </div>
  );
}

function PoolsOf({ place, count }: { place: TitledPlace; count: number }) {
  const { exchange, blockchain, title } = place;
  const pools = useAnswer({
    key: ["dex", exchange, blockchain, "top", count],
    ask: (client) => client.dex.pools(exchange, blockchain, { limit: count }),
    everyMs,
  });
  return (
    <div>
      <div className="text-xs text-quiet">
        <Link href={dexPath(place)}>{title}</Link>
      </div>
      <Answered answer={pools} height="12rem">
        {(found) => (
          <>
            {found.map(({ id }) => (
              <SwapListener key={id} place={place} pool={id} />
            ))}
            <Table
              caption={`Pools of ${title}`}
              rows={found}
              keyOf={({ id }) => id}
              empty="No pool yet: the index has only begun."
              columns={[
                { header: "Pool", cell: (pool) => <PoolName pool={pool} place={place} /> },
                { header: "Price", isFigure: true, cell: (pool) => <PoolPrice pool={pool} /> },
                { header: "Locked", isFigure: true, cell: ({ tvlUSD }) => aboutDollars(tvlUSD) },
                {
                  header: "Volume",
                  isFigure: true,
                  isExtra: true,
                  cell: ({ volumeUSD }) => aboutDollars(volumeUSD),
                },
              ]}
            />
          </>
        )}
      </Answered>
    </div>
  );
}

/** Asks for the pools anew when one of them has traded. */
function SwapListener({ place, pool }: { place: Place; pool: string }) {
  const { exchange, blockchain } = place;
  const queries = useQueryClient();
  useChannel(`dex.swaps:${exchange}:${blockchain}:${pool}`, ({ type }) => {
    if (type !== "swaps" && type !== "rollback") return;
    void queries.invalidateQueries({
      predicate: ({ queryKey }) =>
        queryKey[2] === "dex" && queryKey[4] === blockchain && queryKey[5] === "top",
    });
  });
  return null;
}

function placesOf(exchanges: readonly DexExchange[]): TitledPlace[] {
  return exchanges.flatMap(({ id, name, blockchains }) =>
    blockchains.map((blockchain) => ({
      exchange: id,
      blockchain: blockchain.id,
      title: `${name} on ${blockchain.name}`,
    })),
  );
}
