import { Type } from "typebox";
import type { Database } from "../../database/database.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { verifyAudit } from "../audit.ts";
import { type AuditRow, readBackward } from "../store/audit.ts";
import { cursorFields, pageLimit, pageOf } from "./operator-list.ts";

const Nullable = Type.Union([Type.String(), Type.Null()]);

const LineSchema = Type.Object({
  sequence: Type.Integer(),
  at: Type.String(),
  keyId: Nullable,
  userId: Nullable,
  ip: Nullable,
  action: Type.String(),
  target: Type.String(),
  detail: Type.Record(Type.String(), Type.Unknown()),
  hash: Type.String(),
});

const StateSchema = Type.Object({
  ok: Type.Boolean(),
  checked: Type.Integer(),
  brokenAt: Type.Union([Type.Integer(), Type.Null()]),
});

const common = { method: "GET", family: "ramp", scope: "operator", status: 200 } as const;

/** What an operator sees of the audit log. */
export function auditEndpoints({ db }: { db: Database }): Endpoint[] {
  return [
    endpoint({
      ...common,
      path: "/operator/audit",
      summary: "Who did what, newest first",
      query: Type.Object(cursorFields("[0-9]{1,18}")),
      response: Type.Array(LineSchema),
      async handle({ query }) {
        const limit = pageLimit(query);
        const before = query.after === undefined ? null : BigInt(query.after);
        const lines = (await readBackward(db, before, limit)).map(shownLine);
        return pageOf(lines, limit, ({ sequence }) => String(sequence));
      },
    }),
    endpoint({
      ...common,
      path: "/operator/audit/verify",
      summary: "Whether the audit log is as it was written, and where it first is not",
      response: StateSchema,
      handle: () => verifyAudit(db),
    }),
  ];
}

function shownLine({ sequence, at, detail, hash, ...line }: AuditRow) {
  const { keyId, userId, ip, action, target } = line;
  return {
    sequence: Number(sequence),
    at: timestamp(at),
    keyId,
    userId,
    ip,
    action,
    target,
    detail: JSON.parse(detail) as Record<string, unknown>,
    hash: hash.toString("hex"),
  };
}
