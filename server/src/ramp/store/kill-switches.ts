import type { Queryable } from "../../database/database.ts";
import { prepared, sql } from "../../database/sql.ts";

/** Something an operator has switched off: `payouts`, `rail:ach`, `token:USDC`, `blockchain:base`. */
export type KillSwitch = { name: string; reason: string; setBy: string; setAt: Date };

const asKillSwitch = sql`name, reason, set_by as "setBy", set_at as "setAt"`;

/** Those of these names that are set. */
export function findKillSwitches(db: Queryable, names: readonly string[]): Promise<KillSwitch[]> {
  return db.query<KillSwitch>(prepared`
    select ${asKillSwitch} from kill_switches where name = any(${names}) order by name`);
}

export function listKillSwitches(db: Queryable): Promise<KillSwitch[]> {
  return db.query<KillSwitch>(sql`select ${asKillSwitch} from kill_switches order by name`);
}

/** Sets a switch; one that is set already gets the new reason. */
export async function setKillSwitch(db: Queryable, killSwitch: KillSwitch): Promise<void> {
  const { name, reason, setBy, setAt } = killSwitch;
  await db.query(sql`
    insert into kill_switches (name, reason, set_by, set_at)
    values (${name}, ${reason}, ${setBy}, ${setAt})
    on conflict (name) do update
    set reason = excluded.reason, set_by = excluded.set_by, set_at = excluded.set_at`);
}

/** Returns whether it had been set. */
export async function clearKillSwitch(db: Queryable, name: string): Promise<boolean> {
  const cleared = await db.query(
    sql`delete from kill_switches where name = ${name} returning name`,
  );
  return cleared.length > 0;
}
