import type { Service } from "./asked-service.ts";
import { CommandError } from "./errors.ts";

/** A JSON schema, as far as it is looked at. */
type Schema = {
  type?: string;
  anyOf?: Schema[];
  items?: Schema | Schema[];
  properties?: Record<string, Schema>;
  maximum?: number;
};

type Operation = {
  parameters?: { name: string; in: string; schema?: Schema }[];
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>;
};

/** What the service says of a list. */
export type ListDescription = {
  /** The schema of the array of rows. */
  schema: object;
  /** In which field the rows are; nothing when the answer is nothing but them. */
  array: string | undefined;
  hasSkip: boolean;
  /** How many rows a page may have; nothing when there are no pages. */
  limitMost: number | undefined;
};

/** Looks up in the service's own description what a path answers. */
export async function describeList(service: Service, path: string): Promise<ListDescription> {
  const response = await service.ask("/openapi.json");
  const document = (await response.json()) as { paths: Record<string, { get?: Operation }> };
  const [bare = ""] = path.split("?");
  const operation = operationAt(document.paths, bare);
  if (!operation) throw new CommandError(`There is no GET ${bare}. ${service.url}/docs lists all.`);
  const schema = operation.responses?.["200"]?.content?.["application/json"]?.schema;
  const list = schema && listIn(schema);
  if (!list) throw new CommandError(`GET ${bare} is not a list: \`slipway get\` has its answer.`);
  const parameters = operation.parameters?.filter((parameter) => parameter.in === "query") ?? [];
  const limit = parameters.find(({ name }) => name === "limit");
  return {
    ...list,
    hasSkip: parameters.some(({ name }) => name === "skip"),
    limitMost: limit && (limit.schema?.maximum ?? Number.POSITIVE_INFINITY),
  };
}

/** The GET of the path that fits best: of several, the one with the fewest blanks. */
function operationAt(
  paths: Record<string, { get?: Operation }>,
  path: string,
): Operation | undefined {
  const parts = path.split("/");
  const fitting = Object.entries(paths).filter(([template, { get }]) => {
    const asked = template.split("/");
    return (
      get !== undefined &&
      asked.length === parts.length &&
      asked.every((part, index) => part.startsWith("{") || part === parts[index])
    );
  });
  const blanks = (template: string) => template.split("{").length;
  const [best] = fitting.sort(([one], [other]) => blanks(one) - blanks(other));
  return best?.[1].get;
}

/** The rows of an answer: itself, or the only array of objects in it. */
function listIn(schema: Schema): Pick<ListDescription, "schema" | "array"> | undefined {
  if (isList(schema)) return { schema, array: undefined };
  const arrays = Object.entries(schema.properties ?? {}).filter(([, inner]) => isList(inner));
  const [only] = arrays;
  return only && arrays.length === 1 ? { schema: only[1], array: only[0] } : undefined;
}

function isList(schema: Schema): boolean {
  if (schema.anyOf) return schema.anyOf.some(isList);
  return schema.type === "array" && !Array.isArray(schema.items);
}
