import { behindWall } from "../../accounts/wall.ts";
import type { Database } from "../../database/database.ts";
import { WithHeaders } from "../../http/answer.ts";
import { Ready } from "../../http/ready.ts";
import { Streamed } from "../../http/streamed.ts";
import { CallerError } from "../../lib/errors.ts";
import {
  findPlace,
  listRamps,
  type Place,
  type TransactionFilter,
} from "../store/transaction-lists.ts";
import type { Ramp } from "../transaction.ts";
import { type Cursors, pageHeaders, refuseTwoCursors } from "./cursor-pages.ts";

type OwnFilter = TransactionFilter & { userId: string };

type ListRequest = Cursors & {
  filter: OwnFilter;
  limit: number | undefined;
  skip: number;
  /** A transaction as JSON. */
  write(ramp: Ramp): string;
  /** Where the list is, for links to the pages around one. */
  path: string;
  query: Record<string, string | number | undefined>;
};

/** So many transactions are read at a time when all are asked for. */
const chunkSize = 500;

/** A page of an account's transactions, or all of them: then they are sent while they are read. */
export async function transactionList(
  db: Database,
  request: ListRequest,
): Promise<Ready | Streamed | WithHeaders<Ready>> {
  const { filter, limit, skip, before } = request;
  refuseTwoCursors(request);
  const place = await placeOf(db, filter.userId, request);
  if (limit === undefined && before === undefined) {
    return wholeList(db, request, place);
  }
  const size = limit ?? chunkSize;
  const span = { limit: size + 1, skip, ...(before ? { before: place } : { after: place }) };
  const found = await behindWall(db, filter.userId, (tx) => listRamps(tx, filter, span));
  // The one too many stands at the end that is farther from the cursor.
  const ramps = before ? found.slice(-size) : found.slice(0, size);
  const isMoreOlder = before !== undefined || found.length > size;
  const headers = pageHeaders(request, {
    before: ramps[0]?.id ?? before,
    after: isMoreOlder ? ramps.at(-1)?.id : undefined,
  });
  return new WithHeaders(new Ready(`[${ramps.map(request.write).join(",")}]`), headers);
}

async function wholeList(
  db: Database,
  { filter, skip, write }: ListRequest,
  start: Place | undefined,
): Promise<Ready | Streamed> {
  const read = (after: Place | undefined, skipped: number) =>
    behindWall(db, filter.userId, (tx) =>
      listRamps(tx, filter, { limit: chunkSize, skip: skipped, after }),
    );
  const first = await read(start, skip);
  if (first.length < chunkSize) return new Ready(`[${first.map(write).join(",")}]`);

  async function* pieces(): AsyncGenerator<string> {
    let ramps = first;
    let opening = "[";
    for (;;) {
      yield opening + ramps.map(write).join(",");
      const last = ramps.at(-1);
      if (!last || ramps.length < chunkSize) break;
      ramps = await read({ createdAt: new Date(last.createdAt), id: last.id }, 0);
      opening = ramps.length === 0 ? "" : ",";
    }
    yield "]";
  }
  return new Streamed(pieces());
}

async function placeOf(
  db: Database,
  userId: string,
  { after, before }: Cursors,
): Promise<Place | undefined> {
  const id = after ?? before;
  if (id === undefined) return undefined;
  const place = await behindWall(db, userId, (tx) => findPlace(tx, { id, userId }));
  if (place) return place;
  const field = after === undefined ? "before" : "after";
  throw new CallerError("bad_request", `${field} must be the id of one of the transactions`);
}
