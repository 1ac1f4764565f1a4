import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "../../../test/test-database.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { type BlockQuery, listBlocks } from "./read-blocks.ts";

const held = useDatabase();
const rows = 20_000;

beforeAll(async () => {
  await held.db.query(sql`
    insert into blocks
    select chain, number, '\x01', '\x02', number * 12, 600, 30000000, number % 1000, 0, '\x03'
    from generate_series(0, ${rows}::bigint - 1) number, unnest(array['ethereum', 'base']) chain`);
  await held.db.query(sql`analyze blocks`);
});

async function planOf(query: BlockQuery): Promise<string> {
  const lines: string[] = [];
  const explaining: Queryable = {
    async query(statement) {
      const plan = await held.db.query<{ "QUERY PLAN": string }>({
        ...statement,
        text: `explain ${statement.text}`,
      });
      lines.push(...plan.map((line) => line["QUERY PLAN"]));
      return [];
    },
  };
  await listBlocks(explaining, query);
  return lines.join("\n");
}

const ask = (query: Partial<Omit<BlockQuery, "page">> & Partial<BlockQuery["page"]>) => {
  const { orderBy = "number", direction = "desc", limit = 100, skip = 0, ...rest } = query;
  const window = { from: undefined, to: undefined };
  const page = { orderBy, direction, limit, skip };
  return { blockchain: "ethereum", window, block: undefined, page, ...rest };
};

describe("blocks are looked up, not looked for", () => {
  test.each([
    ["newest first", ask({}), "blocks_pkey"],
    ["oldest first", ask({ direction: "asc" }), "blocks_pkey"],
    ["as of a block", ask({ block: 10_000 }), "blocks_pkey"],
    ["a window of time", ask({ window: { from: 60_000, to: 120_000 } }), "blocks_by_time"],
    ["by time, newest first", ask({ orderBy: "timestamp" }), "blocks_by_time"],
    ["by time", ask({ orderBy: "timestamp", direction: "asc" }), "blocks_by_time"],
  ])("%s", async (_, query, index) => {
    const plan = await planOf(query);
    expect(plan).toContain(index);
    expect(plan).not.toMatch(/Seq Scan|Sort/);
  });
});
