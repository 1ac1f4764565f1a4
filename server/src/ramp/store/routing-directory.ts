import type { Queryable, Transaction } from "../../database/database.ts";
import { prepared, sql } from "../../database/sql.ts";

/** Which of the Federal Reserve's two lists: who can be paid by ACH, and who by wire. */
export type DirectoryKind = "ach" | "wire";

/** A bank in one of the lists. */
export type Participant = {
  routingNumber: string;
  name: string;
  street: string;
  city: string;
  state: string;
  postalCode: string;
  /** The number to use instead. */
  replacedBy: string | null;
  isEligible: boolean;
};

/** When a list was published, `2026-11-14`, and taken over. */
export type DirectoryImport = {
  kind: DirectoryKind;
  publishedOn: string;
  importedAt: Date;
  rowCount: number;
};

const replacementsMost = 4;

/** A bank by its number or, when that was replaced, by the number that is used now. */
export async function findParticipant(
  db: Queryable,
  kind: DirectoryKind,
  routingNumber: string,
): Promise<Participant | undefined> {
  let found: Participant | undefined;
  let number: string | null = routingNumber;
  for (let hops = 0; number !== null && hops <= replacementsMost; hops++) {
    const [next]: Participant[] = await db.query<Participant>(prepared`
      select routing_number as "routingNumber", name, street, city, state,
        postal_code as "postalCode", replaced_by as "replacedBy", is_eligible as "isEligible"
      from routing_directory where kind = ${kind} and routing_number = ${number}`);
    if (!next) break;
    found = next;
    number = next.replacedBy;
  }
  return found;
}

/** Which lists there are. */
export function listImports(db: Queryable): Promise<DirectoryImport[]> {
  return db.query<DirectoryImport>(prepared`
    select kind, to_char(published_on, 'YYYY-MM-DD') as "publishedOn",
      imported_at as "importedAt", row_count as "rowCount"
    from routing_imports order by kind`);
}

/** Puts a list in the place of the one before. */
export async function replaceDirectory(
  tx: Transaction,
  { kind, publishedOn, importedAt }: Omit<DirectoryImport, "rowCount">,
  participants: readonly Participant[],
): Promise<void> {
  await tx.query(sql`
    insert into routing_imports (kind, published_on, imported_at, row_count)
    values (${kind}, ${publishedOn}, ${importedAt}, ${participants.length})
    on conflict (kind) do update
    set published_on = excluded.published_on, imported_at = excluded.imported_at, row_count = excluded.row_count`);
  await tx.query(sql`delete from routing_directory where kind = ${kind}`);
  await tx.copy({
    table: "routing_directory",
    columns: [
      "kind",
      "routing_number",
      "name",
      "street",
      "city",
      "state",
      "postal_code",
      "replaced_by",
      "is_eligible",
    ],
    rows: participants.map((each) => [
      kind,
      each.routingNumber,
      each.name,
      each.street,
      each.city,
      each.state,
      each.postalCode,
      each.replacedBy,
      each.isEligible,
    ]),
  });
}
