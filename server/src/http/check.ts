import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { CallerError } from "../lib/errors.ts";
import { isObject } from "../lib/is-object.ts";

/** Returns the checked value, or throws one `CallerError` that names every fault. */
export type Check = (value: unknown) => unknown;

const faultsMost = 20;

/** A check for a JSON body: types are taken as they are. */
export function bodyCheck(schema: TSchema): Check {
  const check = schemaCheck(schema);
  return (value) => {
    const body = value ?? {};
    if (isObject(body)) return check(body);
    throw new CallerError("bad_request", "The request body must be a JSON object.");
  };
}

/** A check for a query: text is read as the number or truth value the schema asks for. */
export function queryCheck(schema: TSchema): Check {
  const check = schemaCheck(schema);
  const properties = propertiesOf(schema);
  return (value) => check(isObject(value) ? readText(value, properties) : {});
}

function schemaCheck(schema: TSchema): Check {
  const validator = Compile(schema);
  const order = fieldsOf(schema);
  return (value) => {
    if (validator.Check(value)) return value;
    const faults = faultsOf(schema, order, validator.Errors(value));
    throw new CallerError("bad_request", ...faults);
  };
}

type Fault = { keyword: string; instancePath: string; params: object; message: string };

/** One sentence per faulty field, in document order: its path, the rule, and so the fix. */
function faultsOf(
  schema: TSchema,
  order: readonly string[],
  errors: readonly Fault[],
): [string, ...string[]] {
  const sentences = new Map<string, string>();
  for (const error of errors) {
    const { keyword, instancePath, params } = error;
    const path = instancePath.split("/").slice(1);
    if (keyword === "required" && "requiredProperties" in params) {
      for (const name of params.requiredProperties as string[]) {
        const field = [...path, name].join(".");
        sentences.set(field, `Required field is missing: ${field}`);
      }
      continue;
    }
    const field = path.join(".");
    if (!sentences.has(field)) sentences.set(field, `${field} ${ruleOf(schema, path, error)}`);
  }
  const sorted = [...sentences].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  const [first = "The request is not valid.", ...rest] = sorted.map(([, sentence]) => sentence);
  return [first, ...rest.slice(0, faultsMost - 1)];
}

/** A refinement says exactly what is wrong; everything else is answered with what the field must be. */
function ruleOf(
  schema: TSchema,
  path: readonly string[],
  { keyword, params, message }: Fault,
): string {
  if (keyword === "~refine" && "message" in params) return String(params.message);
  // A field for which there is no schema has to satisfy one that nothing satisfies.
  const rule = keyword === "boolean" ? "must be left out: there is no such field" : message;
  return ruleAt(schema, path) ?? rule;
}

/** What a field's description says it must be: "must be a whole number from 1 to 100". */
function ruleAt(schema: TSchema, path: readonly string[]): string | undefined {
  let here: TSchema | undefined = schema;
  for (const name of path) here = here && (propertiesOf(here)[name] ?? itemsOf(here));
  const description = here && "description" in here ? here.description : undefined;
  return typeof description === "string" && description.startsWith("must ")
    ? description
    : undefined;
}

/** Every field in document order: `name`, `address`, `address.city`, … */
function fieldsOf(schema: TSchema, path: readonly string[] = []): string[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, inner]) => {
    const here = [...path, name];
    return [here.join("."), ...fieldsOf(inner, here)];
  });
}

function propertiesOf(schema: TSchema): Record<string, TSchema> {
  return "properties" in schema ? (schema.properties as Record<string, TSchema>) : {};
}

function itemsOf(schema: TSchema): TSchema | undefined {
  return "items" in schema ? (schema.items as TSchema) : undefined;
}

function readText(
  query: Record<string, unknown>,
  properties: Record<string, TSchema>,
): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query)) {
    const type = properties[name] && "type" in properties[name] ? properties[name].type : undefined;
    read[name] = typeof value === "string" ? fromText(value, type) : value;
  }
  return read;
}

/** Text that does not fit is left as it is, for the check to complain about. */
function fromText(text: string, type: unknown): unknown {
  if (type === "integer" && /^[+-]?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)))
    return Number(text);
  if (type === "number" && /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
  if (type === "boolean" && /^(true|1)$/i.test(text)) return true;
  if (type === "boolean" && /^(false|0)$/i.test(text)) return false;
  return text;
}
