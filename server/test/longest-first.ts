import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, longest first: begun early, no worker ends long before the others. */
const longest = [
  "server/test/readme.test.ts",
  "server/test/console-markets.test.ts",
  "server/test/rails-crash.test.ts",
  "server/test/dex-crash.test.ts",
  "server/test/console-ramp.test.ts",
  "server/test/console-operator.test.ts",
  "server/test/start.test.ts",
  "server/test/simulation.test.ts",
  "server/test/cex-faults.test.ts",
  "cli/test/commands.test.ts",
  "server/src/database/embedded/embedded.test.ts",
  "server/src/dex/indexer/indexer.test.ts",
  "server/test/ramp-concurrency.test.ts",
  "cli/test/docs.test.ts",
  "server/test/dex-faults.test.ts",
  "server/test/crash.test.ts",
  "server/test/cex-start.test.ts",
  "server/test/ramp-crash.test.ts",
  "server/test/dex-start.test.ts",
];

/** Begins with the files that take longest; the others follow in the usual order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
      return rank === -1 ? longest.length : rank;
    };
    return usual.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
