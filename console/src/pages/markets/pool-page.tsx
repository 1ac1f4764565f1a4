import type { DexPool, PoolBar, PoolToken } from "@slipway/sdk";
import { Link } from "wouter";
import { about, aboutDollars, price } from "../../lib/figures.ts";
import { useNow } from "../../lib/use-now.ts";
import { Answered } from "../../parts/answered.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Tile } from "../../parts/facts.tsx";
import { Change, LongId, Price } from "../../parts/figures.tsx";
import { Page } from "../../parts/page.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { useParam } from "../../shell/use-param.ts";
import { dexPath, type Place, tokenPath } from "./paths.ts";
import { PoolCharts } from "./pool-charts.tsx";
import {
  changeSince,
  feeText,
  type PriceOf,
  priceOf,
  sumSince,
  usualSide,
} from "./pool-figures.ts";
import { PoolTrades } from "./pool-trades.tsx";
import { useBars } from "./use-bars.ts";
import { useUrlChoice } from "./use-url-choice.ts";

const hour = 3_600;
const day = 24 * hour;
/** A token can be in thousands of pools; the address still finds the rest of what is shown. */

/** A pool: its price, what it holds, and everything that happened in it. */
export function PoolPage() {
  const place = { exchange: useParam("exchange"), blockchain: useParam("blockchain") };
  const id = useParam("pool").toLowerCase();
  const { answer, bars } = useBars(place, id, "hour");
  const found = answer.data;
  const pool = usePool(place, id);
  const pair = found ? `${found.token0.symbol} / ${found.token1.symbol}` : "Pool";
  return (
    <Page
      title={pool ? `${pair} ${feeText(pool.feeTier)}` : pair}
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
      <Answered answer={answer} height="40rem">
        {({ token0, token1 }) => (
          <OpenPool place={place} id={id} pool={pool} tokens={{ token0, token1 }} hours={bars} />
        )}
      </Answered>
    </Page>
  );
}

/** The pool as lists have it: only they know its fee and how it stands in all. */
function usePool(place: Place, id: string): DexPool | undefined {
  const { exchange, blockchain } = place;
  const pools = useAnswer({
    key: ["dex", exchange, blockchain, "pool", id],
    ask: (client) => client.dex.pools(exchange, blockchain, { pool: id }),
    everyMs: 10_000,
  });
  return pools.data?.[0];
}

type Tokens = { token0: PoolToken; token1: PoolToken };
type Props = {
  place: Place;
  id: string;
  pool: DexPool | undefined;
  tokens: Tokens;
  hours: readonly PoolBar[];
};

function OpenPool({ place, id, pool, tokens, hours }: Props) {
  const usual = usualSide(tokens);
  const other = usual === "token0" ? "token1" : "token0";
  const [of, setOf] = useUrlChoice<PriceOf>("of", [usual, other]);
  const newest = hours[0];
  const flip = () => setOf(of === "token0" ? "token1" : "token0");
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end gap-x-8 gap-y-3">
        {newest && <PriceBothWays place={place} tokens={tokens} of={of} bar={newest} />}
        <Button onClick={flip} title="See the price from the other token's side">
          <span aria-hidden="true">⇄</span> Flip
        </Button>
        <Changes hours={hours} of={of} />
        <Tile name="Locked">{aboutDollars(newest?.tvlUSD ?? pool?.tvlUSD)}</Tile>
        <Volume hours={hours} />
        <Tile name="Volume, ever">{aboutDollars(pool?.volumeUSD)}</Tile>
        <Tile name="Transactions, ever">{about(pool?.txCount)}</Tile>
      </div>
      <PoolCharts place={place} id={id} of={of} />
      <PoolTrades place={place} id={id} tokens={tokens} of={of} />
    </>
  );
}

type PriceProps = { place: Place; tokens: Tokens; of: PriceOf; bar: PoolBar };

function PriceBothWays({ place, tokens, of, bar }: PriceProps) {
  const other = of === "token0" ? "token1" : "token0";
  return (
    <div>
      <div className="text-xs text-quiet">
        1{" "}
        <Link href={tokenPath(place, tokens[of].id)} className="underline">
          {tokens[of].symbol}
        </Link>{" "}
        costs
      </div>
      <div className="text-2xl font-semibold" data-price={of}>
        <Price of={priceOf(of, bar)} />{" "}
        <Link href={tokenPath(place, tokens[other].id)} className="text-sm font-normal">
          {tokens[other].symbol}
        </Link>
      </div>
      <div className="text-xs text-quiet">
        1 {tokens[other].symbol} costs {price(priceOf(other, bar))} {tokens[of].symbol}
      </div>
    </div>
  );
}

function Changes({ hours, of }: { hours: readonly PoolBar[]; of: PriceOf }) {
  const now = Math.floor(useNow() / 1_000);
  const spans = [
    { name: "1 h", seconds: hour },
    { name: "24 h", seconds: day },
    { name: "7 d", seconds: 7 * day },
  ];
  return (
    <>
      {spans.map(({ name, seconds }) => (
        <Tile key={name} name={name}>
          <Change of={changeSince(hours, seconds, now, of)} />
        </Tile>
      ))}
    </>
  );
}

function Volume({ hours }: { hours: readonly PoolBar[] }) {
  const now = Math.floor(useNow() / 1_000);
  return (
    <>
      <Tile name="Volume 24 h">{aboutDollars(sumSince(hours, "volumeUSD", day, now))}</Tile>
      <Tile name="Fees 24 h">{aboutDollars(sumSince(hours, "feesUSD", day, now))}</Tile>
    </>
  );
}
