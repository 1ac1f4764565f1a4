import type { Database } from "../../server/src/database/database.ts";
import { built } from "../built.ts";
import type { History } from "./history.ts";

const { listBars } =
  await built<typeof import("../../server/src/dex/store/read-bars.ts")>("dex/store/read-bars");
const { listTrades } =
  await built<typeof import("../../server/src/dex/store/read-trades.ts")>("dex/store/read-trades");
const { findToken, listTokens } =
  await built<typeof import("../../server/src/dex/store/read-tokens.ts")>("dex/store/read-tokens");

/** One question: as a path of the API, and as the SQL behind it. */
type Question = {
  path: string;
  /** Whether an answer holds all that it should. */
  isFull(answer: unknown): boolean;
  run(db: Database): Promise<unknown>;
};

/** A kind of question, put about something else each time. */
export type Query = { name: string; about(history: History, time: number): Question };

const place = { exchange: "uniswap-v3", blockchain: "ethereum" };
const under = "/v2/dex/uniswap-v3/ethereum";
const page = { limit: 100, skip: 0, direction: "desc" } as const;
const always = { from: undefined, to: undefined };
/** Coprime to any number of blocks we have, so that blocks come in an order that no cache expects. */
const stride = 7_919;

const turn = (list: readonly string[], time: number) => list[time % list.length] ?? "";
const bytes = (address: string) => Buffer.from(address.slice(2), "hex");
const isPage = (list: unknown) => Array.isArray(list) && list.length === page.limit;

/** What people ask most. */
export const queries: readonly Query[] = [
  {
    name: "100 bars of a pool",
    about({ pools }, time) {
      const pool = turn(pools, time);
      return {
        path: `${under}/pool/${pool}/aggregate?timeframe=hour&limit=100`,
        isFull: (answer) => isPage((answer as { poolAggregates: unknown }).poolAggregates),
        run: (db) =>
          listBars(db, place, {
            pool: bytes(pool),
            timeframe: "hour",
            window: always,
            page: { ...page, orderBy: "timestamp" },
          }),
      };
    },
  },
  {
    name: "100 swaps of a pool",
    about({ pools }, time) {
      const pool = turn(pools, time);
      return {
        path: `${under}/pool/${pool}/trades?mint=false&burn=false&limit=100`,
        isFull: (answer) => isPage((answer as { swaps: unknown }).swaps),
        run: (db) =>
          listTrades(db, place, {
            pool: bytes(pool),
            kinds: ["swap"],
            window: always,
            block: undefined,
            page: { ...page, orderBy: "timestamp" },
          }),
      };
    },
  },
  {
    name: "a token",
    about: ({ tokens }, time) => tokenQuestion(turn(tokens, time), undefined),
  },
  {
    name: "a token at a block",
    about: ({ tokens, lastBlock }, time) =>
      tokenQuestion(turn(tokens, time), (time * stride) % lastBlock),
  },
  {
    name: "100 tokens by volume",
    about: () => ({
      path: `${under}/tokens?orderBy=volumeUSD&limit=100`,
      isFull: isPage,
      run: (db) => listTokens(db, place, {}, { ...page, orderBy: "volumeUSD" }),
    }),
  },
];

function tokenQuestion(token: string, block: number | undefined): Question {
  return {
    path: `${under}/token/${token}${block === undefined ? "" : `?block=${block}`}`,
    isFull: (answer) => (answer as { id: unknown }).id === token,
    run: (db) => findToken(db, place, bytes(token), block),
  };
}
