import { lazy } from "react";
import type { Area } from "../../shell/area.ts";

const OverviewPage = lazy(() =>
  import("./overview-page.tsx").then((module) => ({ default: module.OverviewPage })),
);
const ExchangesPage = lazy(() =>
  import("./exchanges-page.tsx").then((module) => ({ default: module.ExchangesPage })),
);
const ExchangePage = lazy(() =>
  import("./exchange-page.tsx").then((module) => ({ default: module.ExchangePage })),
);
const MarketPage = lazy(() =>
  import("./market-page.tsx").then((module) => ({ default: module.MarketPage })),
);
const DexesPage = lazy(() =>
  import("./dexes-page.tsx").then((module) => ({ default: module.DexesPage })),
);
const DexPage = lazy(() =>
  import("./dex-page.tsx").then((module) => ({ default: module.DexPage })),
);
const PoolPage = lazy(() =>
  import("./pool-page.tsx").then((module) => ({ default: module.PoolPage })),
);
const TokenPage = lazy(() =>
  import("./token-page.tsx").then((module) => ({ default: module.TokenPage })),
);

/** Markets: what is traded on exchanges, and in pools. */
export const marketsArea: Area = {
  name: "Markets",
  links: [
    { name: "Overview", path: "/" },
    { name: "Exchanges", path: "/cex" },
    { name: "Pools", path: "/dex" },
  ],
  pages: [
    { path: "/", page: OverviewPage },
    { path: "/cex", page: ExchangesPage },
    { path: "/cex/:exchange", page: ExchangePage },
    { path: "/cex/:exchange/:market", page: MarketPage },
    { path: "/dex", page: DexesPage },
    { path: "/dex/:exchange/:blockchain", page: DexPage },
    { path: "/dex/:exchange/:blockchain/pool/:pool", page: PoolPage },
    { path: "/dex/:exchange/:blockchain/token/:token", page: TokenPage },
  ],
};
