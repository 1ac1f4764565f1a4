import type { TSchema } from "typebox";
import type { Endpoint, Rows } from "../endpoint.ts";

/** What the cells of a column hold. What has no simple type is JSON, and text in a file. */
export type ColumnKind = "text" | "integer" | "number" | "boolean" | "json";

export type Column = { name: string; kind: ColumnKind };

/** Where cells are in the JSON of a row: here, or further in, by field of an object or place in a tuple. */
export type Layout = { column: number } | { fields: ReadonlyMap<string, Layout> };

/** How an answer looks as a table. All of it comes from the answer's schema, so that a table without rows has columns too. */
export type Table = {
  columns: readonly Column[];
  layout: Layout;
  /** The arrays that hold the rows, by name, each with what it puts into the first column if it is one of several. */
  arrays: ReadonlyMap<string, string | undefined>;
};

/** The name of an array that is the whole answer. */
export const wholeAnswer = "";

/** How the answers of an endpoint look as a table; nothing when they are not lists. */
export function tableOf({
  method,
  response,
  rows,
}: Pick<Endpoint, "method" | "response" | "rows">): Table | undefined {
  if (method !== "GET") return undefined;
  const arrays = arraysOf(rows);
  const items = [...arrays.keys()].flatMap((name) => itemsOf(arraySchema(response, name)));
  if (items.length === 0) return undefined;
  const columns: Column[] = [];
  if (typeof rows === "object") columns.push({ name: rows.column, kind: "text" });
  return { layout: layoutOf(items, [], columns), columns, arrays };
}

function arraysOf(rows: Rows | undefined): Map<string, string | undefined> {
  if (typeof rows === "object") return new Map(Object.entries(rows.arrays));
  return new Map([[rows ?? wholeAnswer, undefined]]);
}

function arraySchema(response: TSchema, name: string): TSchema | undefined {
  return name === wholeAnswer ? response : propertiesOf(response)[name];
}

/** Objects are spread over columns with dotted names; several forms of a row have the columns of all of them. */
function layoutOf(schemas: readonly TSchema[], path: readonly string[], columns: Column[]): Layout {
  const forms = schemas.flatMap(formsOf);
  const inner = forms.map((form) => fieldsOf(form, path));
  if (forms.length === 0 || inner.some((fields) => fields.length === 0)) {
    columns.push({ name: path.join(".") || "value", kind: kindOf(forms) });
    return { column: columns.length - 1 };
  }
  const merged = new Map<string, { name: string; schemas: TSchema[] }>();
  for (const { key, name, schema } of inner.flat()) {
    const field = merged.get(key) ?? { name, schemas: [] };
    field.schemas.push(schema);
    merged.set(key, field);
  }
  const fields = [...merged].map(
    ([key, field]) => [key, layoutOf(field.schemas, [...path, field.name], columns)] as const,
  );
  return { fields: new Map(fields) };
}

type Field = { key: string; name: string; schema: TSchema };

/** The fields of an object, or of a row that is a tuple, whose places have titles. */
function fieldsOf(schema: TSchema, path: readonly string[]): Field[] {
  if (path.length === 0 && "items" in schema && Array.isArray(schema.items)) {
    return (schema.items as TSchema[]).map((item, place) => ({
      key: String(place),
      name: "title" in item ? String(item.title) : String(place),
      schema: item,
    }));
  }
  return Object.entries(propertiesOf(schema)).map(([name, inner]) => ({
    key: name,
    name,
    schema: inner,
  }));
}

/** What a value may be beside null, which every cell may be. */
function formsOf(schema: TSchema): TSchema[] {
  if ("anyOf" in schema) return (schema.anyOf as TSchema[]).flatMap(formsOf);
  return "type" in schema && schema.type === "null" ? [] : [schema];
}

function kindOf(forms: readonly TSchema[]): ColumnKind {
  const kinds = new Set(forms.map(simpleKindOf));
  const [first = "text"] = kinds;
  if (kinds.size <= 1) return first;
  return kinds.size === 2 && kinds.has("integer") && kinds.has("number") ? "number" : "json";
}

function simpleKindOf(schema: TSchema): ColumnKind {
  const allowed = "enum" in schema ? (schema.enum as unknown[]) : [];
  if (allowed.length > 0 && allowed.every((value) => typeof value === "string")) return "text";
  const type = "type" in schema ? schema.type : undefined;
  if (type === "string") return "text";
  return type === "integer" || type === "number" || type === "boolean" ? type : "json";
}

function propertiesOf(schema: TSchema): Record<string, TSchema> {
  return "properties" in schema ? (schema.properties as Record<string, TSchema>) : {};
}

/** The schemas of an array's items; of several arrays when it may be one or the other, none when it may be no array. */
function itemsOf(schema: TSchema | undefined): TSchema[] {
  const forms = schema ? formsOf(schema) : [];
  const items = forms.map((form) => ("items" in form ? form.items : undefined));
  return items.every((item) => item !== undefined && !Array.isArray(item))
    ? (items as TSchema[])
    : [];
}
