import { expect, test } from "vitest";
import {
  fileRow,
  leave,
  noticesOf,
  type Sold,
  sellMany,
  sellOne,
  useBankWorld,
} from "../../../../test/bank-world.ts";
import { day, expectSound, find } from "../../../../test/ramp-world.ts";
import { sql } from "../../../database/sql.ts";
import { loadCalendar } from "../../store/calendars.ts";
import { type BankFile, findBankFile } from "../store/bank-files.ts";
import { achSettlement } from "./file-times.ts";
import { fileTaker } from "./take-files.ts";

const world = useBankWorld();

async function sentFile({ entry }: Sold): Promise<BankFile> {
  const file = await findBankFile(world.db, entry.fileId ?? "");
  if (!file) throw new Error("the payment is in a file");
  return file;
}

/** Lets the bank answer to a file, and says what became of the answer. */
async function answer({ name }: Pick<BankFile, "name">, lines: string[]) {
  return fileRow(world, await leave(world, Buffer.from(lines.join("\r\n")), `${name}.ack`));
}

const totals = ({ entries, cents }: BankFile) => [`entries: ${entries}`, `cents: ${cents}`];

test("a file that the bank accepts is accepted, and its payments go on", async () => {
  const sold = await sellOne(world);
  const file = await sentFile(sold);
  const lines = [`file: ${file.name}`, `sha256: ${file.sha256.toString("hex")}`, ...totals(file)];
  const format = "acknowledgement";
  const taken = { format, state: "taken", problem: null };
  expect(await answer(file, [...lines, "status: accepted", ""])).toEqual(taken);
  expect(await sentFile(sold)).toMatchObject({ state: "accepted", problem: null });
  expect(await find(world, sold.id)).toMatchObject({ state: "PAYOUT_SUBMITTED" });
});

test("a file that reached the bank late settles later, even if its answer says first that it did", async () => {
  const sold = await sellOne(world);
  const file = await sentFile(sold);
  // Whoever left it at the bank a day later died before writing that down.
  await world.db.query(sql`
    update bank_files set state = 'ready', delivered_at = null where id = ${file.id}`);
  world.clock.advance(day);
  const lines = [`file: ${file.name}`, ...totals(file), "status: accepted"];
  world.exchange.waiting.set(`${file.name}.ack`, Buffer.from(lines.join("\n")));
  await fileTaker({ ...world.bank, exchange: world.exchange }).run();
  expect(await sentFile(sold)).toMatchObject({ state: "accepted" });
  const calendar = await loadCalendar(world.db, "ACH");
  const [row] = await world.db.query<{ dueAt: Date }>(sql`
    select due_at as "dueAt" from bank_entries where payout_id = ${sold.entry.payoutId}`);
  expect(row?.dueAt.getTime()).toBe(achSettlement(calendar, world.clock.now()).at);
});

test("a file that the bank rejects fails all its payments, which are tried again with others", async () => {
  const sold = await sellMany(world, 2);
  const [first] = sold;
  if (!first) throw new Error("two were sold");
  const file = await sentFile(first);
  const lines = [`file: ${file.name}`, "status: rejected", "reason: hash total is wrong"];
  const row = await answer(file, lines);
  expect(row).toMatchObject({ state: "taken" });
  expect(row?.problem).toBe(`the bank rejected ${file.name}: hash total is wrong`);
  expect(await sentFile(first)).toMatchObject({
    state: "rejected",
    problem: "hash total is wrong",
  });
  for (const { id } of sold)
    expect(await find(world, id)).toMatchObject({ state: "PAYOUT_FAILED" });
  expect((await noticesOf(world)).slice(-2)).toMatchObject([
    { kind: "payout_failed", why: "hash total is wrong" },
    { kind: "payout_failed", why: "hash total is wrong" },
  ]);
  expect(world.lines.join()).toContain("hash total is wrong");
  const accepted = await leave(
    world,
    Buffer.from([`file: ${file.name}`, ...totals(file), "status: accepted"].join("\n")),
    `${file.name}.ack`,
  ).then(() => sentFile(first));
  expect(accepted).toMatchObject({ state: "rejected" });
  await expectSound(world);
});

test("an answer that makes no sense is refused, and changes nothing", async () => {
  const sold = await sellOne(world);
  const file = await sentFile(sold);
  const right = [`file: ${file.name}`, "status: accepted", ...totals(file)];
  const wrong: [lines: string[], problem: string][] = [
    [[...right.slice(0, 2), "entries: 9", `cents: ${file.cents}`], "entries: must be 1"],
    [[...right.slice(0, 3), "cents: 1"], "cents: must be 10000"],
    [right.slice(0, 2), "entries: must be 1"],
    [[...right, `sha256: ${"0".repeat(64)}`], "sha256: is not that of our file"],
    [["file: another.txt", ...right.slice(1)], "file: names another file"],
    [[`file: ${file.name}`, "status: maybe"], "status: must be accepted or rejected"],
    [[...right, "status: rejected"], "line 5: says status a second time"],
    [["nonsense"], "line 1: must be a word"],
    [[...right.slice(0, 2), "entries: -1"], "entries: must be a whole number"],
    [Array.from({ length: 200 }, () => "a: b"), "the file: has too many lines"],
  ];
  for (const [lines, problem] of wrong) {
    const before = world.lines.length;
    await leave(world, Buffer.from(lines.join("\n")), `${file.name}.ack`);
    const said = world.lines.slice(before).join("\n");
    expect(said).toContain("refused as a whole");
    expect(said).toContain(problem);
  }
  const unknown = await leave(world, Buffer.from("file: x\nstatus: accepted"), "x.ack");
  expect(await fileRow(world, unknown)).toMatchObject({
    ...{ state: "refused", problem: "file: names a file that we have not made" },
  });
  expect(await sentFile(sold)).toMatchObject({ state: "delivered" });
  expect(await find(world, sold.id)).toMatchObject({ state: "PAYOUT_SUBMITTED" });
});
