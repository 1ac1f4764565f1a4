import swagger from "@fastify/swagger";
import type { ErrorBody, UnauthorizedBody } from "@slipway/sdk";
import type { FastifyInstance, FastifySchema } from "fastify";
import { type TProperties, type TSchema, Type } from "typebox";
import { type Endpoint, shapeOf } from "./endpoint.ts";
import { tableOf } from "./tables/columns.ts";
import { formats, mediaTypes } from "./tables/format.ts";

const ErrorSchema = shapeOf<ErrorBody>()(
  Type.Object({
    errors: Type.Array(Type.Object({ message: Type.String() })),
    code: Type.Integer(),
  }),
);

const UnauthorizedSchema = shapeOf<UnauthorizedBody>()(
  Type.Object({ Unauthorized: Type.Literal("Invaild API Key") }),
);

/** Who sends a POST again with the same key gets the same answer. */
const repeatable = Type.Object({
  "Idempotency-Key": Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        "The same key with the same request is answered again, and nothing happens twice",
    }),
  ),
});

const userIdField = Type.Optional(
  Type.String({
    description:
      "The subaccount to act for; it may stand in the body instead. Left out: the caller itself",
  }),
);

const formatField = Type.Optional(
  Type.Enum([...formats], {
    default: "json",
    description: `must be one of ${formats.join(", ")}; the header Accept may ask for the same`,
  }),
);

const headings = {
  data: { name: "Market data", description: "DEX pools and tokens, CEX markets, analytics." },
  ramp: { name: "Ramp", description: "Money between bank accounts and wallets." },
  account: { name: "Account", description: "Keys, the request log, and the service itself." },
};

type DocumentOptions = { endpoints: readonly Endpoint[]; mode: string; version: string };

/** Serves `/openapi.json`, made from the same schemas that check requests and write answers. */
export async function documentEndpoints(
  app: FastifyInstance,
  { endpoints, mode, version }: DocumentOptions,
): Promise<void> {
  const description =
    "One API key for DEX and CEX market data, analytics and a fiat ramp. " +
    (mode === "sandbox"
      ? "This service runs in sandbox mode: try it with the key `slp_sandbox_master`."
      : "");
  await app.register(swagger, {
    transform: ({ schema, url, route }) => ({
      schema: route.config?.endpoint ? withTables(schema, route.config.endpoint) : schema,
      url,
    }),
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Slipway",
        version,
        description,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: "/" }],
      tags: [...new Set(endpoints.map(({ family }) => headings[family]))],
      components: {
        securitySchemes: {
          header: { type: "apiKey", in: "header", name: "apiKey" },
          query: { type: "apiKey", in: "query", name: "apiKey" },
        },
      },
      security: [{ header: [] }, { query: [] }],
    },
  });
  app.get("/openapi.json", { schema: { hide: true } }, () => app.swagger());
}

/** What the documentation says about one endpoint, and how its answers are serialised. */
export function documentationOf(endpoint: Endpoint): object {
  const { family, summary, description, maturity, deprecated, status, response } = endpoint;
  const { method, params, query, body, actsFor } = endpoint;
  const querystring = withFields(query, {
    ...(actsFor === "subaccounts" ? { userId: userIdField } : {}),
    ...(tableOf(endpoint) ? { format: formatField } : {}),
  });
  return {
    operationId: operationIdOf(endpoint),
    tags: [headings[family].name],
    summary: maturity ? `${summary} (${maturity})` : summary,
    ...(description ? { description } : {}),
    ...(deprecated ? { deprecated: true } : {}),
    ...(params ? { params } : {}),
    ...(querystring ? { querystring } : {}),
    ...(method === "POST" && family !== "data" ? { headers: repeatable } : {}),
    ...(body ? { body } : {}),
    response: {
      [status]: response,
      401: family === "data" ? UnauthorizedSchema : ErrorSchema,
      "4xx": ErrorSchema,
      "5xx": ErrorSchema,
    },
  };
}

function withFields(query: TSchema | undefined, added: TProperties): TSchema | undefined {
  if (Object.keys(added).length === 0) return query;
  const properties = query && "properties" in query ? (query.properties as TProperties) : {};
  return Type.Object({ ...properties, ...added });
}

/** Says of lists that they can be had in other formats too. Answers are written by the schema without this. */
function withTables(schema: FastifySchema, endpoint: Endpoint): FastifySchema {
  const { mediaType } = endpoint;
  if (!tableOf(endpoint) && mediaType === undefined) return schema;
  const content =
    mediaType !== undefined
      ? { [mediaType]: { schema: endpoint.response } }
      : {
          [mediaTypes.json]: { schema: endpoint.response },
          [mediaTypes.csv]: { schema: Type.String() },
          [mediaTypes.parquet]: { schema: Type.String({ contentMediaType: mediaTypes.parquet }) },
        };
  const responses = schema.response as Record<string, unknown>;
  return { ...schema, response: { ...responses, [endpoint.status]: { content } } };
}

/** `GET /v2/ramp/subaccounts/{accountId}` is `getRampSubaccountsByAccountId`; only old versions say which they are. */
function operationIdOf({ method, path }: Endpoint): string {
  const words = path
    .split("/")
    .filter((part) => part && part !== "v2")
    .map((part) => (part.startsWith("{") ? `By${capital(part.slice(1, -1))}` : capital(part)));
  return method.toLowerCase() + words.join("");
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
