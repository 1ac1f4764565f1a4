import type { CexMarket } from "@slipway/sdk";
import { decimal } from "../../lib/figures.ts";
import { dateTime } from "../../lib/times.ts";
import { Answered } from "../../parts/answered.tsx";
import { Card } from "../../parts/card.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Table } from "../../parts/table.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { aboutMoney } from "./money.ts";

const liquidityEveryMs = 5_000;
const gapsEveryMs = 30_000;
const told = 0.02;
const depths = [
  { depth: 0.005, name: "Within 0.5 %" },
  { depth: told, name: "Within 2 %" },
  { depth: 0.1, name: "Within 10 %" },
] as const;

/** What a market costs, what rests in its book, and what is missing of its trades. */
export function MarketFacts({ market }: { market: CexMarket }) {
  return (
    <div className="mt-4 grid items-start gap-4 lg:grid-cols-3">
      <Liquidity market={market} />
      <Card title="Fees and kind">
        <Facts
          facts={[
            ["Taker", feeOf(market, market.taker)],
            ["Maker", feeOf(market, market.maker)],
            ["Kind", market.type],
            ["State", market.active ? "✓ open" : "✗ closed"],
            ["Id in paths", <code key="id">{market.id}</code>],
          ]}
        />
      </Card>
      <Gaps market={market} />
    </div>
  );
}

function feeOf({ percentage, quote }: CexMarket, fee: number): string {
  return percentage ? `${decimal(fee * 100, 4)} %` : `${decimal(fee, 8)} ${quote}`;
}

function Liquidity({ market }: { market: CexMarket }) {
  const answer = useAnswer({
    key: ["liquidity", market.exchange, market.id],
    ask: (client) =>
      Promise.all(
        depths.map(({ depth }) =>
          client.analytics.liquidity(market.exchange, market.id, { depth }),
        ),
      ),
    everyMs: liquidityEveryMs,
  });
  return (
    <Card title="Liquidity">
      <Answered answer={answer} height="7rem">
        {(found) => (
          <>
            <p className="mb-3">
              <strong>
                {aboutMoney(
                  found[depths.findIndex(({ depth }) => depth === told)]?.liquidity,
                  market.quote,
                )}
              </strong>{" "}
              rests within 2 % of the middle price: what bids would pay, and what asks offer at the
              middle.
            </p>
            <Facts
              facts={depths.map(({ name }, index) => [
                name,
                aboutMoney(found[index]?.liquidity, market.quote),
              ])}
            />
          </>
        )}
      </Answered>
    </Card>
  );
}

function Gaps({ market }: { market: CexMarket }) {
  const answer = useAnswer({
    key: ["gaps", market.exchange, market.id],
    ask: (client) => client.cex.gaps(market.exchange, market.id),
    everyMs: gapsEveryMs,
  });
  return (
    <Card title="Gaps">
      <Answered answer={answer} height="7rem">
        {({ gaps }) => (
          <Table
            caption="Spans whose trades nobody could get"
            rows={gaps}
            keyOf={({ from }) => from}
            height="12rem"
            empty="✓ None: no trade is known to be missing."
            columns={[
              { header: "From", cell: ({ from }) => dateTime(Number(from)) },
              { header: "To", cell: ({ to }) => dateTime(Number(to)) },
              { header: "Why", cell: ({ reason }) => reason },
            ]}
          />
        )}
      </Answered>
    </Card>
  );
}
