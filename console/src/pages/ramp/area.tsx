import { lazy } from "react";
import type { Area } from "../../shell/area.ts";

const BuyPage = lazy(() =>
  import("./buy-page.tsx").then((module) => ({ default: module.BuyPage })),
);
const SellPage = lazy(() =>
  import("./sell-page.tsx").then((module) => ({ default: module.SellPage })),
);
const TransactionsPage = lazy(() =>
  import("./transactions-page.tsx").then((module) => ({ default: module.TransactionsPage })),
);
const TrackerPage = lazy(() =>
  import("./tracker-page.tsx").then((module) => ({ default: module.TrackerPage })),
);
const MethodsPage = lazy(() =>
  import("./methods-page.tsx").then((module) => ({ default: module.MethodsPage })),
);
const VerificationPage = lazy(() =>
  import("./verification-page.tsx").then((module) => ({ default: module.VerificationPage })),
);

/** For customers: buying and selling crypto, and following what becomes of it. */
export const rampArea: Area = {
  name: "Ramp",
  links: [
    { name: "Buy", path: "/ramp/buy" },
    { name: "Sell", path: "/ramp/sell" },
    { name: "Transactions", path: "/ramp/transactions" },
    { name: "Payment methods", path: "/ramp/methods" },
    { name: "Verification", path: "/ramp/verification" },
  ],
  pages: [
    { path: "/ramp/buy", page: BuyPage },
    { path: "/ramp/sell", page: SellPage },
    { path: "/ramp/transactions", page: TransactionsPage },
    { path: "/ramp/transactions/:transaction", page: TrackerPage },
    { path: "/ramp/methods", page: MethodsPage },
    { path: "/ramp/verification", page: VerificationPage },
  ],
};
