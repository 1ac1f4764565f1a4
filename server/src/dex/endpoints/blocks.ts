import type { Block, DexBlockchain } from "@slipway/sdk";
import { Type } from "typebox";
import { type Endpoint, endpoint, formerly, shapeOf } from "../../http/endpoint.ts";
import { blockField, pageFields, pageOf, timeFields, timeWindowOf } from "../../http/list.ts";
import { CallerError } from "../../lib/errors.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { blockFields, type FoundBlocks, listBlocks } from "../store/read-blocks.ts";
import { common, type DexContext, fresh } from "./dex-context.ts";

const text = Type.String();
const BlockSchema = shapeOf<Block>()(
  Type.Object({
    number: text,
    timestamp: text,
    size: text,
    gasLimit: text,
    gasUsed: text,
    totalDifficulty: text,
    author: text,
  }),
);

const BlockchainSchema = shapeOf<DexBlockchain>()(Type.Object({ id: text, name: text }));

/** Blocks of the blockchains that are followed: under `/v1` as the specification has them, and under `/v2` to stay. */
export function blockEndpoints({
  db,
  clock,
  chains,
}: Pick<DexContext, "db" | "clock" | "chains">): Endpoint[] {
  const blockchains = () => chains().map(({ chain: { id, name } }) => ({ id, name }));

  const followed = endpoint({
    ...common,
    path: "/v2/blocks",
    summary: "Blockchains whose blocks are served",
    response: Type.Array(BlockchainSchema),
    handle: blockchains,
  });

  const list = endpoint({
    ...common,
    path: "/v2/blocks/{blockchain}",
    summary: "Blocks of a blockchain, newest first",
    description: "`block` gives the blocks up to and including that one.",
    params: Type.Object({ blockchain: Type.String({ description: "such as `ethereum`" }) }),
    query: Type.Object({ ...pageFields(blockFields), ...timeFields, ...blockField }),
    response: Type.Array(BlockSchema),
    async handle({ params: { blockchain }, query }) {
      refuseUnknown(blockchain, blockchains());
      const { block } = query;
      const window = timeWindowOf(query);
      const page = pageOf(query, "number");
      const found = await listBlocks(db, { blockchain, window, block, page });
      if (block !== undefined) refuseAbsent(blockchain, block, found);
      return fresh(found?.blocks ?? "[]", found?.newest, clock);
    },
  });

  return [
    formerly("/v1/blocks", followed),
    formerly("/v1/blocks/{blockchain}", list),
    followed,
    list,
  ];
}

/** 404 for a blockchain that is not followed. */
function refuseUnknown(blockchain: string, blockchains: readonly DexBlockchain[]): void {
  const ids = blockchains.map(({ id }) => id);
  if (ids.includes(blockchain)) return;
  throw new CallerError(
    "not_found",
    `Blocks of such a blockchain are not served.${didYouMean(blockchain, ids)} GET /v2/blocks lists those that are.`,
  );
}

/** 404 for a block that is not there yet, or not any more. */
function refuseAbsent(blockchain: string, block: number, found: FoundBlocks | undefined): void {
  if (found && found.oldest <= block && block <= found.newest.block) return;
  const held = found
    ? `those of ${blockchain} are served from ${found.oldest} to ${found.newest.block}.`
    : `there are none of ${blockchain} yet.`;
  throw new CallerError("not_found", `Block ${block} is not there: ${held}`);
}
