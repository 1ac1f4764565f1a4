import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FileExchange } from "../file-exchange.ts";
import { openFolderExchange } from "./folder-exchange.ts";

let folder: string;
let exchange: FileExchange;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "slipway-folder-"));
  exchange = openFolderExchange(folder);
});
afterAll(() => rm(folder, { recursive: true }));

/** Leaves a file as the bank does, at an hour. */
async function leave(name: string, text: string, hour: number): Promise<void> {
  const path = join(folder, "inbox", name);
  await writeFile(path, text);
  await utimes(path, hour * 3_600, hour * 3_600);
}

test("a file that is left lies there whole, and nothing else does", async () => {
  const bytes = Buffer.from([0, 255, 10, 128]);
  await exchange.put("one.ach", bytes);
  expect(await readFile(join(folder, "outbox", "one.ach"))).toEqual(bytes);
  await exchange.put("one.ach", bytes);
  await Promise.all([1, 2, 3].map(() => exchange.put("two.ach", bytes)));
  expect(await readdir(folder)).toEqual(["outbox"]);
  expect((await readdir(join(folder, "outbox"))).sort()).toEqual(["one.ach", "two.ach"]);
});

test("a file with other bytes is never overwritten", async () => {
  const put = exchange.put("one.ach", Buffer.from("other"));
  await expect(put).rejects.toThrow("another file named one.ach lies in the outbox");
  expect(await readFile(join(folder, "outbox", "one.ach"))).toHaveLength(4);
});

test("no name leads out of the folder", async () => {
  for (const name of ["../one", "a/b", ".hidden", "", "..", "a.part"]) {
    await expect(exchange.put(name, Buffer.alloc(1))).rejects.toThrow("is no name for a file");
    await expect(exchange.get(name)).rejects.toThrow("is no name for a file");
    await expect(exchange.setAside(name)).rejects.toThrow("is no name for a file");
  }
});

test("files of the bank come oldest first, without those that are not for us yet", async () => {
  expect(await exchange.list()).toEqual([]);
  await leave("b.xml", "b", 2);
  await leave("a.xml", "a", 3);
  await leave("c.xml", "c", 1);
  await leave("also.xml", "also", 2);
  await leave(".hidden", "", 1);
  await leave("late.xml.part", "", 1);
  await mkdir(join(folder, "inbox", "folder"));
  expect(await exchange.list()).toEqual(["c.xml", "also.xml", "b.xml", "a.xml"]);
  expect(String(await exchange.get("b.xml"))).toBe("b");
});

test("what was taken in is set aside, also under a name that was there before", async () => {
  await exchange.setAside("c.xml");
  await exchange.setAside("c.xml");
  await leave("c.xml", "another c", 5);
  await exchange.setAside("c.xml");
  expect(await exchange.list()).toEqual(["also.xml", "b.xml", "a.xml"]);
  expect((await readdir(join(folder, "taken"))).sort()).toEqual(["c.xml", "c.xml.2"]);
  expect(await readFile(join(folder, "taken", "c.xml.2"), "utf8")).toBe("another c");
});
