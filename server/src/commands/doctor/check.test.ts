import { expect, test } from "vitest";
import { broken, type Check, ok, runChecks } from "./check.ts";

const never = new Promise<never>(() => {});
/** Time stands still. */
const still = { sleep: () => never };
/** Every time limit is over at once. */
const over = { sleep: async () => {} };
const progressed = () => {};
const check = (name: string, look: Check["look"]): Check => ({ name, look });

test("checks run at the same time, and are reported in their order", async () => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const told: string[] = [];
  const reports = await runChecks(
    [
      check("waits for the second", async () => {
        await gate;
        return [ok("first")];
      }),
      check("opens", async () => {
        open();
        return [ok("second")];
      }),
    ],
    {
      clock: still,
      progressed: (done, total, waiting) => told.push(`${done}/${total} ${waiting.join()}`),
    },
  );
  expect(reports.map(({ findings }) => findings)).toEqual([[ok("first")], [ok("second")]]);
  expect(told).toEqual(["0/2 waits for the second,opens", "1/2 waits for the second", "2/2 "]);
});

test("one that takes too long is broken, and holds up no other", async () => {
  const slow = { ...check("slow", () => never), limitMs: 7_000 };
  const [report] = await runChecks([slow], { clock: over, progressed });
  expect(report?.findings).toMatchObject([
    { state: "broken", what: "It took longer than 7 seconds to look at this." },
  ]);
});

test("its time counts from when it begins", async () => {
  const asked: number[] = [];
  const clock = {
    sleep(ms: number) {
      asked.push(ms);
      return never;
    },
  };
  const after = new Promise<void>((resolve) => setImmediate(resolve));
  const running = runChecks([{ ...check("later", async () => []), after }], { clock, progressed });
  expect(asked).toEqual([]);
  expect(await running).toEqual([{ name: "later", findings: [] }]);
  expect(asked).toHaveLength(1);
});

test("one that fails is broken, with its reason", async () => {
  const failing = check("odd", async () => {
    throw new Error("The roof is off.");
  });
  const [report] = await runChecks([failing], { clock: still, progressed });
  expect(report?.findings).toEqual([
    broken({
      what: "The roof is off.",
      why: "Nobody can say whether this works: odd.",
      fix: "Put right what it says, and run `slipway doctor` again.",
    }),
  ]);
});
