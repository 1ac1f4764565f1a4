import { parseArgs } from "node:util";
import { withPostgres } from "./postgres.ts";
import { benchBesideFloor } from "./ramp/beside-floor.ts";
import { benchLists } from "./ramp/lists.ts";
import { benchMoneyOut } from "./ramp/money-out.ts";
import { benchPosts } from "./ramp/posts.ts";

/** How much of everything is done. */
const amounts = {
  usual: {
    besideFloor: { rounds: 9, perLane: 60, lanes: 4 },
    posts: { rounds: 5, perRound: 300 },
    moneyOut: { rounds: 5, perAccount: 10 },
    lists: { sizes: [10_000, 1_000_000], requests: 500 },
  },
  quick: {
    besideFloor: { rounds: 5, perLane: 30, lanes: 4 },
    posts: { rounds: 3, perRound: 200 },
    moneyOut: { rounds: 3, perAccount: 5 },
    lists: { sizes: [10_000, 100_000], requests: 200 },
  },
};

/** The ramp: transactions made and completed beside the same SQL alone, lists beside a long history, and money out. */
export async function benchRamp(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { quick: { type: "boolean", default: false } } });
  const amount = amounts[values.quick ? "quick" : "usual"];
  await withPostgres(async (postgres) => {
    await benchBesideFloor(postgres, amount.besideFloor);
    await benchPosts(postgres, amount.posts);
    await benchMoneyOut(postgres, amount.moneyOut);
    await benchLists(postgres, amount.lists);
  });
}
