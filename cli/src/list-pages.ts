import { tools } from "@slipway/server/commands";
import { errorIn, type Service } from "./asked-service.ts";
import type { ListDescription } from "./openapi.ts";
import { withQuery } from "./request-path.ts";

const limitUsual = 1_000;

/** The rows of a list, page by page until the last, each row as the JSON that came. */
export async function* listPages(
  service: Service,
  firstPath: string,
  list: ListDescription,
  signal: AbortSignal,
): AsyncGenerator<string[], void> {
  const { rowsIn } = await tools.exporting();
  const limit = limitOf(firstPath, list);
  let path: string | undefined =
    limit === undefined ? firstPath : withQuery(firstPath, { limit: String(limit) });
  let before = new Set<string>();
  while (path !== undefined) {
    const response = await service.ask(path, signal);
    if (!response.ok) throw await errorIn(response);
    const text = await response.text();
    const rows = rowsIn(text, list.array);
    // Where pages are found by counting, what is new shifts the end of one to the start of the next.
    yield rows.filter((row) => !before.has(row));
    before = list.hasSkip ? new Set(rows) : before;
    const page: Page = { path, headers: response.headers, text, count: rows.length };
    path = rows.length === 0 ? undefined : nextPath(page, list, limit);
  }
}

function limitOf(path: string, { limitMost }: ListDescription): number | undefined {
  if (limitMost === undefined) return undefined;
  const asked = new URLSearchParams(path.split("?")[1]).get("limit");
  return asked === null ? Math.min(limitMost, limitUsual) : Number(asked);
}

type Page = { path: string; headers: Headers; text: string; count: number };

/** Where the list goes on: where a link or a cursor leads, after the last number, or after as many rows as there were. */
function nextPath(
  { path, headers, text, count }: Page,
  { hasSkip }: ListDescription,
  limit: number | undefined,
): string | undefined {
  const [, linked] = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "") ?? [];
  if (linked !== undefined) return linked;
  const cursor = headers.get("cb-after");
  if (cursor !== null) return withQuery(path, { after: cursor });
  if (limit === undefined || count < limit) return undefined;
  const [, sequence] = /"lastSequence":(\d+)\}$/.exec(text) ?? [];
  if (sequence !== undefined) return withQuery(path, { after: sequence });
  if (!hasSkip) return undefined;
  const skipped = Number(new URLSearchParams(path.split("?")[1]).get("skip") ?? 0);
  return withQuery(path, { skip: String(skipped + limit) });
}
