import { parseArgs } from "node:util";
import { withPostgres } from "./postgres.ts";
import { benchBesideFloor } from "./ramp/beside-floor.ts";

/** The ramp: transactions made and completed beside the same SQL alone, lists beside a long history, and money out. */
export async function benchRamp(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { quick: { type: "boolean", default: false } } });
  await withPostgres(async (postgres) => {
    await benchBesideFloor(
      postgres,
      values.quick ? { rounds: 3, perLane: 30, lanes: 4 } : { rounds: 9, perLane: 150, lanes: 4 },
    );
  });
}
