import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/test-service.ts";
import { type Beginning, type KeptBlock, openJournal, parseJournal } from "./journal.ts";

const beginning: Beginning = {
  seed: 7,
  genesisTime: 1_000,
  historyEnd: 9_000,
  historyBlockSeconds: 612.5,
};
const begin = () => beginning;

const blockAt = (time: number): KeptBlock => ({
  time,
  hash: `0x${time.toString(16).padStart(64, "0")}`,
  transactions: ["0x02f8", { impersonated: { from: "0x01", data: "0x" } }],
});

/** A journal with so many blocks, in a file of its own. */
function journalOf(count: number): string {
  const file = join(temporaryFolder(), "below", "blocks.jsonl");
  const journal = openJournal(file, begin);
  for (let number = 1; number <= count; number++) journal.append(blockAt(number));
  journal.close();
  return file;
}

/** What is in a journal when it is opened again. */
function timesIn(file: string): number[] {
  const journal = openJournal(file, () => expect.fail("it has begun already"));
  journal.close();
  expect(journal.beginning).toEqual(beginning);
  return journal.blocks.map(({ time }) => time);
}

describe("the journal", () => {
  test("gives back what was put in", () => {
    const journal = openJournal(journalOf(3), begin);
    journal.close();
    expect(journal.beginning).toEqual(beginning);
    expect(journal.blocks).toEqual([1, 2, 3].map(blockAt));
  });

  test("forgets the blocks above a number, and goes on from there", () => {
    const file = journalOf(5);
    const journal = openJournal(file, begin);
    journal.backTo(2);
    journal.append(blockAt(30));
    journal.close();
    expect(timesIn(file)).toEqual([1, 2, 30]);
  });

  test("loses nothing but the line that was cut, wherever a crash cuts it", () => {
    const whole = readFileSync(journalOf(4));
    const firstLine = whole.indexOf("\n") + 1;
    fc.assert(
      fc.property(fc.integer({ min: firstLine, max: whole.length }), (length) => {
        const parsed = parseJournal(whole.subarray(0, length));
        const complete = whole.subarray(firstLine, length).toString().split("\n").length - 1;
        expect(parsed?.blocks).toEqual([1, 2, 3, 4].slice(0, complete).map(blockAt));
        expect(parsed?.usableBytes).toBeLessThanOrEqual(length);
      }),
    );
  });

  test("goes on after a torn line as if it had never been", () => {
    const file = journalOf(3);
    truncateSync(file, readFileSync(file).length - 7);
    const journal = openJournal(file, begin);
    journal.append(blockAt(40));
    journal.close();
    expect(timesIn(file)).toEqual([1, 2, 40]);
  });

  test.each([
    ["is no JSON", "{"],
    ["is no block", '{"time":1}'],
    ["has bytes that are no hex", '{"time":3,"hash":"0xzz","transactions":[]}'],
  ])("drops everything from a line on that %s", (_, line) => {
    const file = journalOf(2);
    writeFileSync(file, `${line}\n${JSON.stringify(blockAt(4))}\n`, { flag: "a" });
    expect(timesIn(file)).toEqual([1, 2]);
  });

  test.each([
    ["of a chain that was founded otherwise", '{"version":0,"seed":1}\n'],
    ["that is something else", "hello\n"],
    ["that is empty", ""],
  ])("puts a file aside %s, and begins anew", (_, content) => {
    const file = join(temporaryFolder(), "blocks.jsonl");
    writeFileSync(file, content);
    const journal = openJournal(file, begin);
    journal.append(blockAt(1));
    journal.close();
    expect(timesIn(file)).toEqual([1]);
    expect(existsSync(`${file}.old`) && readFileSync(`${file}.old`, "utf8")).toBe(content);
  });
});
