import type { Reconciliation, ReconciliationDetails, ReconciliationRun } from "@slipway/sdk";
import { Type } from "typebox";
import { cursorFields, pageLimit, pageOf } from "../../accounts/endpoints/operator-list.ts";
import { once } from "../../accounts/once.ts";
import type { Database } from "../../database/database.ts";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import type { Clock } from "../../lib/clock.ts";
import { CallerError, UnavailableError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import type { Sealer } from "../../lib/seal.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { formatAsset } from "../present-ledger.ts";
import {
  compareBooks,
  type ReconciliationContext,
  subjectsOf,
  writeFindings,
} from "../reconciliation/reconcile.ts";
import { type Difference, findReport, listReports, type Report } from "../store/reconciliations.ts";
import { audit } from "./operator-audit.ts";
import { forOperators } from "./operator-schemas.ts";

type ReconciliationEndpointContext = {
  db: Database;
  clock: Clock;
  sealer: Sealer;
  /** Nothing: there is no bank and no chain to compare with. */
  reconciliation: ReconciliationContext | undefined;
};

const text = Type.String();
const DifferenceSchema = Type.Object({
  item: text,
  asset: text,
  theirs: text,
  ours: text,
  explanation: text,
});

const ReconciliationSchema = shapeOf<Reconciliation>()(
  Type.Object({
    id: text,
    subject: text,
    asOf: text,
    ok: Type.Boolean(),
    compared: Type.Integer(),
    differences: Type.Array(DifferenceSchema),
    inTransitCount: Type.Integer(),
    createdAt: text,
  }),
);

const DetailsSchema = shapeOf<ReconciliationDetails>()(
  Type.Object({ ...ReconciliationSchema.properties, inTransit: Type.Array(DifferenceSchema) }),
);

const RunSchema = shapeOf<ReconciliationRun>()(
  Type.Object({
    reports: Type.Array(ReconciliationSchema),
    notCompared: Type.Array(Type.Object({ subject: text, reason: text })),
  }),
);

const SubjectField = Type.Optional(
  Type.String({
    pattern: "^(bank|chain:[a-z0-9-]{1,40})$",
    description: "must be bank, or a chain such as chain:ethereum",
  }),
);

/** How our books compare with the bank's and the chains', as operators see it. */
export function operatorReconciliationEndpoints(
  context: ReconciliationEndpointContext,
): Endpoint[] {
  const { db } = context;
  return [
    endpoint({
      ...forOperators,
      method: "GET",
      path: "/operator/reconciliations",
      summary: "What came of comparing our books with the bank's and the chains', newest first",
      query: Type.Object({
        ...cursorFields("rec-[0-9]{1,20}"),
        subject: SubjectField,
        ok: Type.Optional(Type.Boolean({ description: "must be true or false" })),
      }),
      status: 200,
      response: Type.Array(ReconciliationSchema),
      async handle({ query }) {
        const limit = pageLimit(query);
        const { subject, ok: isOk, after } = query;
        const reports = await listReports(db, { subject, isOk, limit, after });
        return pageOf(reports.map(presentReport), limit, ({ id }) => id);
      },
    }),
    endpoint({
      ...forOperators,
      method: "GET",
      path: "/operator/reconciliations/{reportId}",
      summary: "One comparison, with what was in transit",
      params: Type.Object({ reportId: Type.String({ description: "`rec-` and digits" }) }),
      status: 200,
      response: DetailsSchema,
      async handle({ params: { reportId } }) {
        const report = isId("rec", reportId) ? await findReport(db, reportId) : undefined;
        if (!report) throw new CallerError("not_found", "There is no such reconciliation");
        return { ...presentReport(report), inTransit: report.inTransit.map(presentDifference) };
      },
    }),
    endpoint({
      ...forOperators,
      method: "POST",
      path: "/operator/reconciliations",
      summary: "Compare our books now",
      description: "With the bank's newest statement and all chains, unless one of them is named.",
      body: Type.Object({ subject: SubjectField }),
      status: 201,
      response: RunSchema,
      async handle({ body: { subject }, caller, address, idempotency }) {
        const { reconciliation } = context;
        if (!reconciliation) {
          throw new UnavailableError(
            "There are no books to compare with: this service is connected to no bank and no blockchain.",
          );
        }
        const known = subjectsOf(reconciliation);
        if (subject !== undefined && !known.includes(subject)) {
          throw new CallerError("bad_request", `subject must be one of ${known.join(", ")}`);
        }
        // Others are asked before anything is locked; only what they said is written down once.
        const { findings, notCompared } = await compareBooks(
          reconciliation,
          subject === undefined ? known : [subject],
        );
        return once(context, { caller, idempotency }, async (tx) => {
          const reports = await writeFindings(tx, reconciliation, findings);
          const detail = { reports: reports.map(({ id }) => id), notCompared };
          const deed = { action: "reconciliation.run", target: subject ?? "all", detail };
          await audit(tx, context, { caller, address }, deed);
          return { reports: reports.map(presentReport), notCompared };
        });
      },
    }),
  ];
}

function presentReport(report: Report): Reconciliation {
  const { id, subject, asOf, isOk, compared, differences, inTransit, at } = report;
  return {
    ...{ id, subject, asOf, ok: isOk, compared, inTransitCount: inTransit.length },
    differences: differences.map(presentDifference),
    createdAt: timestamp(at),
  };
}

function presentDifference({ item, asset, theirs, ours, explanation }: Difference) {
  return {
    ...{ item, asset, explanation },
    theirs: formatAsset(theirs, asset),
    ours: formatAsset(ours, asset),
  };
}
