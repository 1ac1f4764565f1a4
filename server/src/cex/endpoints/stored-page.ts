import { WithHeaders } from "../../http/answer.ts";
import { heardHeaders } from "../../http/freshness.ts";
import { Ready } from "../../http/ready.ts";
import { Streamed } from "../../http/streamed.ts";
import type { Clock } from "../../lib/clock.ts";
import { CallerError } from "../../lib/errors.ts";
import type { ReadPage } from "../store/read-trades.ts";

/** More items than this are sent while they are read. */
const readyMost = 2_000;

/** Where a page is, for links to the pages around it. */
type Place = {
  path: string;
  /** What the links keep of the query; never a key. */
  query: Record<string, string | number | undefined>;
};

type PageOptions = Place & {
  /** JSON up to the first item. */
  head: string;
  /** Cursors of the ends of the page: to what is newer, and to what is older if there is anything. */
  newer: string | undefined;
  older: string | undefined;
  /** Which of them leads on in the list's direction. */
  isRising: boolean;
  /** Since when the answer is true, in Unix milliseconds. */
  at: number | undefined;
  clock: Clock;
};

/** A page of stored items: as a whole when it is short, else in pieces. */
export async function pageAnswer(
  page: ReadPage<unknown>,
  options: PageOptions,
): Promise<WithHeaders<Ready | Streamed>> {
  const { at, clock } = options;
  const headers = {
    ...(at === undefined ? {} : heardHeaders({ at, source: "store" }, clock.now())),
    ...cursorHeaders(options),
  };
  const pieces = piecesOf(options.head, page.chunks);
  if (page.count > readyMost) return new WithHeaders(new Streamed(pieces), headers);
  let json = "";
  for await (const piece of pieces) json += piece;
  return new WithHeaders(new Ready(json), headers);
}

async function* piecesOf(head: string, chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let before = head;
  for await (const chunk of chunks) {
    yield before + chunk;
    before = ",";
  }
  yield before === head ? `${head}]}` : "]}";
}

function cursorHeaders({ path, query, newer, older, isRising }: PageOptions) {
  const headers: Record<string, string> = {};
  const links: string[] = [];
  const add = (name: string, parameter: string, cursor: string | undefined, isNext: boolean) => {
    if (cursor === undefined) return;
    headers[name] = cursor;
    const url = urlOf(path, { ...query, [parameter]: cursor });
    links.push(`<${url}>; rel="${isNext ? "next" : "prev"}"`);
  };
  add("cb-before", "before", newer, isRising);
  add("cb-after", "after", older, !isRising);
  if (links.length > 0) headers.link = links.join(", ");
  return headers;
}

function urlOf(path: string, query: Place["query"]): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return `${path}?${search}`;
}

/** Both cursors at once would say two things. */
export function refuseTwoCursors({ before, after }: { before?: string; after?: string }): void {
  if (before !== undefined && after !== undefined) {
    throw new CallerError("bad_request", "before and after must not be given together");
  }
}

/** The path of a list of a market, with the names that it really has. */
export function pathOf(exchange: string, market: string, list: string): string {
  return `/v2/cex/${encodeURIComponent(exchange)}/${encodeURIComponent(market)}/${list}`;
}
