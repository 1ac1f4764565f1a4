import { lazy } from "react";
import type { Area } from "../../shell/area.ts";

const QueuePage = lazy(() =>
  import("./queue-page.tsx").then((module) => ({ default: module.QueuePage })),
);
const VerificationsPage = lazy(() =>
  import("./verifications-page.tsx").then((module) => ({ default: module.VerificationsPage })),
);
const VerificationPage = lazy(() =>
  import("./verification-page.tsx").then((module) => ({ default: module.VerificationPage })),
);
const TransactionsPage = lazy(() =>
  import("./transactions-page.tsx").then((module) => ({ default: module.TransactionsPage })),
);
const TransactionPage = lazy(() =>
  import("./transaction-page.tsx").then((module) => ({ default: module.TransactionPage })),
);
const LedgerPage = lazy(() =>
  import("./ledger-page.tsx").then((module) => ({ default: module.LedgerPage })),
);
const LedgerAccountPage = lazy(() =>
  import("./ledger-account-page.tsx").then((module) => ({ default: module.LedgerAccountPage })),
);
const PayoutsPage = lazy(() =>
  import("./payouts-page.tsx").then((module) => ({ default: module.PayoutsPage })),
);
const ReconciliationsPage = lazy(() =>
  import("./reconciliations-page.tsx").then((module) => ({ default: module.ReconciliationsPage })),
);
const AuditPage = lazy(() =>
  import("./audit-page.tsx").then((module) => ({ default: module.AuditPage })),
);

/** For those who run the ramp: what waits for them, what moved, and whether the books are right. */
export const operatorArea: Area = {
  name: "Operate",
  links: [
    { name: "Queue", path: "/operator" },
    { name: "Verification", path: "/operator/verifications" },
    { name: "Transactions", path: "/operator/transactions" },
    { name: "Ledger", path: "/operator/ledger" },
    { name: "Payouts", path: "/operator/payouts" },
    { name: "Reconciliation", path: "/operator/reconciliations" },
    { name: "Audit log", path: "/operator/audit" },
  ],
  pages: [
    { path: "/operator", page: QueuePage },
    { path: "/operator/verifications", page: VerificationsPage },
    { path: "/operator/verifications/:user", page: VerificationPage },
    { path: "/operator/transactions", page: TransactionsPage },
    { path: "/operator/transactions/:transaction", page: TransactionPage },
    { path: "/operator/ledger", page: LedgerPage },
    { path: "/operator/ledger/:account", page: LedgerAccountPage },
    { path: "/operator/payouts", page: PayoutsPage },
    { path: "/operator/reconciliations", page: ReconciliationsPage },
    { path: "/operator/audit", page: AuditPage },
  ],
};
