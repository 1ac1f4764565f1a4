import { expect, test } from "vitest";
import { commandLine } from "../test/command-line.ts";

/** The commands that a help lists. */
function listed(help: string): string[] {
  const [, commands = ""] = help.split("Commands:\n");
  return [...commands.matchAll(/^ {2}([a-z][\w-]*)/gm)].flatMap(([, name = ""]) =>
    name === "help" ? [] : [name],
  );
}

/** Every command, however deep, with its help. */
async function allHelps(path: string[] = []): Promise<[path: string, help: string][]> {
  const { code, out } = await commandLine().run(...path, "--help");
  expect([path, code]).toEqual([path, 0]);
  const inner = listed(out);
  if (inner.length === 0) return [[path.join(" "), out]];
  const helps = await Promise.all(inner.map((name) => allHelps([...path, name])));
  return helps.flat();
}

test("every command says in a sentence what it does, and shows an example", async () => {
  const helps = await allHelps();
  const names = helps.map(([name]) => name);
  for (const name of ["get", "stream", "listen", "trigger", "export", "backfill cex", "backup"])
    expect(names).toContain(name);
  for (const [name, help] of helps) {
    expect(help, name).toMatch(/^Usage: slipway .*\n\n[A-Z][\s\S]*?\.\n/);
    expect(help, name).toContain(`slipway ${name}`);
    expect(help, name).toMatch(/Examples?:\n {2}\$ /);
  }
});

test("what cannot be meant ends with 2 and says how to find out more", async () => {
  const misspelt = await commandLine().run("strat");
  expect(misspelt).toMatchObject({
    code: 2,
    errors: expect.stringContaining("Did you mean start?"),
  });
  const unknown = await commandLine().run("get", "x", "--nothing");
  expect(unknown).toMatchObject({ code: 2, errors: expect.stringContaining("slipway --help") });
  expect(await commandLine().run("export", "x")).toMatchObject({ code: 2 });
});
