import type { Hex } from "../../chains/hex.ts";
import type { Queryable, Transaction } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { assert, UnavailableError } from "../../lib/errors.ts";
import type { Deployment } from "../deployment.ts";

/** The last block that is in the tables. */
export type Checkpoint = { block: number; hash: Hex; time: number };

export type StoredDeployment = {
  id: number;
  /** How often it has been written. */
  version: number;
  /** What the tables were derived with. */
  definition: unknown;
  checkpoint: Checkpoint | undefined;
  /** As far as logs are stored. */
  covered: Checkpoint | undefined;
};

type PointColumns = { block: string | null; hash: Hex | null; time: string | null };

/** Finds a deployment's row, or makes it. */
export async function openDeployment(
  db: Queryable,
  { exchange, blockchain }: Pick<Deployment, "exchange" | "blockchain">,
  definition: unknown,
): Promise<StoredDeployment> {
  await db.query(sql`
    insert into dex_deployments (exchange, blockchain, definition)
    values (${exchange}, ${blockchain}, ${JSON.stringify(definition)})
    on conflict do nothing`);
  const [row] = await db.query<{
    id: number;
    version: string;
    definition: unknown;
    checkpoint: PointColumns;
    covered: PointColumns;
  }>(sql`
    select id, version, definition,
      json_build_object('block', block::text, 'hash', '0x' || encode(block_hash, 'hex'), 'time', block_time::text)
        as checkpoint,
      json_build_object('block', covered_block::text, 'hash', '0x' || encode(covered_hash, 'hex'),
        'time', covered_time::text) as covered
    from dex_deployments
    where exchange = ${exchange} and blockchain = ${blockchain}`);
  assert(row, "a deployment's row was just made");
  return {
    ...row,
    version: Number(row.version),
    checkpoint: point(row.checkpoint),
    covered: point(row.covered),
  };
}

function point({ block, hash, time }: PointColumns): Checkpoint | undefined {
  if (block === null || hash === null || time === null) return undefined;
  return { block: Number(block), hash, time: Number(time) };
}

export async function setDefinition(
  tx: Transaction,
  id: number,
  definition: unknown,
): Promise<void> {
  await tx.query(sql`
    update dex_deployments set definition = ${JSON.stringify(definition)} where id = ${id}`);
}

/** Holds that nobody has written since: what was read in several queries then belongs together. */
export async function expectUnchanged(
  db: Queryable,
  { id, version }: Pick<StoredDeployment, "id" | "version">,
): Promise<void> {
  const [row] = await db.query(sql`
    select id from dex_deployments where id = ${id} and version = ${version}`);
  if (!row) throw overtaken();
}

function overtaken(): UnavailableError {
  return new UnavailableError("Another process writes this deployment.");
}

/** Moves the checkpoint, unless somebody has written since `version`: two writers never mix their rows. */
export async function moveCheckpoint(
  tx: Transaction,
  { id, version }: Pick<StoredDeployment, "id" | "version">,
  to: Checkpoint | undefined,
): Promise<void> {
  const [row] = await tx.query(sql`
    update dex_deployments
    set version = version + 1, block = ${to?.block ?? null},
      block_hash = ${to ? bytesOf(to.hash) : null}, block_time = ${to?.time ?? null}
    where id = ${id} and version = ${version}
    returning id`);
  if (!row) throw overtaken();
}

export async function setCovered(
  tx: Transaction,
  id: number,
  covered: Checkpoint | undefined,
): Promise<void> {
  await tx.query(sql`
    update dex_deployments
    set covered_block = ${covered?.block ?? null}, covered_hash = ${covered ? bytesOf(covered.hash) : null},
      covered_time = ${covered?.time ?? null}
    where id = ${id}`);
}

/** The hash of a block that may still be replaced, newest first. */
export type KnownBlock = { block: number; hash: Hex };

export function listBlockHashes(db: Queryable, id: number): Promise<KnownBlock[]> {
  return db.query<KnownBlock>(sql`
    select block::float8 as block, '0x' || encode(hash, 'hex') as hash
    from dex_block_hashes where deployment = ${id} order by dex_block_hashes.block desc`);
}

export async function insertBlockHashes(
  tx: Transaction,
  id: number,
  blocks: readonly KnownBlock[],
): Promise<void> {
  await tx.copy({
    table: "dex_block_hashes",
    columns: ["deployment", "block", "hash"],
    rows: blocks.map(({ block, hash }) => [id, block, bytesOf(hash)]),
  });
}

export function bytesOf(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), "hex");
}
