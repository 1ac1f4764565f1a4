import { Page } from "../../parts/page.tsx";
import { LastTransactions } from "./last-transactions.tsx";
import { Sources } from "./sources.tsx";
import { TopMarkets } from "./top-markets-card.tsx";
import { TopPools } from "./top-pools.tsx";

/** Everything at a glance: whether it runs, what markets do, and the account's last transactions. */
export function OverviewPage() {
  return (
    <Page title="Overview" subtitle="What this service sees right now.">
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid min-w-0 gap-4">
          <TopMarkets />
          <TopPools />
        </div>
        <div className="grid min-w-0 gap-4">
          <Sources />
          <LastTransactions />
        </div>
      </div>
    </Page>
  );
}
