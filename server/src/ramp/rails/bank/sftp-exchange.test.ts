import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newKeys, useSftpServer } from "../../../../test/sftp-server.ts";
import { openSftpExchange } from "./sftp-exchange.ts";

const ourKeys = newKeys();
const server = useSftpServer(() => ourKeys.public);
const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "slipway-sftp-"));
  await writeFile(join(folder, "key"), ourKeys.private);
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => {
  server.files.clear();
  server.folders.clear();
  server.cutAfterBytes = undefined;
});

type Settings = Parameters<typeof openSftpExchange>[0];

const exchangeWith = (changes: Partial<Settings> = {}) => {
  const settings: Settings = {
    ...{ host: "127.0.0.1", port: server.port, username: "bank", password: "secret" },
    ...{ hostKey: server.fingerprint, outbox: "out", inbox: "in" },
  };
  return openSftpExchange({ ...settings, ...changes });
};

/** Leaves a file as the bank does, at an hour. */
function leave(path: string, text: string, hour: number): void {
  server.files.set(path, { bytes: Buffer.from(text), changedAt: hour * 3_600 });
}

const sizes = () => [...server.files].map(([path, file]) => [path, file.bytes.length]);

describe("a file", () => {
  test("is left whole under its name, with a password or with a key; again changes nothing", async () => {
    await exchangeWith().put("one.ach", bytes);
    expect(server.files.get("out/one.ach")?.bytes.equals(bytes)).toBe(true);
    await exchangeWith().put("one.ach", bytes);
    const { password: _, ...withKey } = { password: "", privateKeyFile: join(folder, "key") };
    await openSftpExchange({
      ...{ host: "127.0.0.1", port: server.port, username: "bank", hostKey: server.fingerprint },
      ...{ outbox: "out", inbox: "in", ...withKey },
    }).put("two.ach", bytes);
    expect(sizes()).toEqual([
      ["out/one.ach", 200_000],
      ["out/two.ach", 200_000],
    ]);
  });

  test("whose upload was cut off is not there, and is left whole the next time", async () => {
    server.cutAfterBytes = 100_000;
    await expect(exchangeWith().put("one.ach", bytes)).rejects.toThrow(
      /^the bank's SFTP server 127\.0\.0\.1:\d+: /,
    );
    expect(server.files.has("out/one.ach")).toBe(false);
    expect(server.files.get("out/.one.ach.part")?.bytes.length).toBeLessThan(200_000);
    server.cutAfterBytes = undefined;
    await exchangeWith().put("one.ach", bytes);
    expect(sizes()).toEqual([["out/one.ach", 200_000]]);
    expect(server.files.get("out/one.ach")?.bytes.equals(bytes)).toBe(true);
  });

  test("is never written over another", async () => {
    leave("out/one.ach", "another", 1);
    await expect(exchangeWith().put("one.ach", bytes)).rejects.toThrow(
      "another file named one.ach lies in the outbox",
    );
    expect(sizes()).toEqual([["out/one.ach", 7]]);
  });
});

describe("files of the bank", () => {
  test("come oldest first, are read, and are set aside", async () => {
    const exchange = exchangeWith();
    leave("in/b.xml", "b", 2);
    leave("in/a.xml", "a", 3);
    leave("in/.hidden", "", 1);
    leave("in/c.xml.part", "", 1);
    leave("in/c.xml", "c", 1);
    expect(await exchange.list()).toEqual(["c.xml", "b.xml", "a.xml"]);
    expect(String(await exchange.get("b.xml"))).toBe("b");
    await exchange.setAside("b.xml");
    await exchange.setAside("b.xml");
    leave("in/b.xml", "another b", 4);
    await exchange.setAside("b.xml");
    expect(await exchange.list()).toEqual(["c.xml", "a.xml"]);
    expect(String(server.files.get("in/taken/b.xml")?.bytes)).toBe("b");
    expect(String(server.files.get("in/taken/b.xml.2")?.bytes)).toBe("another b");
    await expect(exchange.get("d.xml")).rejects.toThrow("No such file");
  });
});

describe("a server", () => {
  test("with another host key is told nothing, and neither is the password", async () => {
    const hostKey = `SHA256:${"A".repeat(43)}`;
    const failure = await exchangeWith({ hostKey })
      .put("one.ach", bytes)
      .catch((error) => String(error));
    expect(failure).toContain(`its host key is not ${hostKey}`);
    expect(failure).not.toContain("secret");
    expect(sizes()).toEqual([]);
  });

  test("that does not take our password says so, without it", async () => {
    const failure = await exchangeWith({ password: "wrong-password" })
      .list()
      .catch((error) => String(error));
    expect(failure).toContain("does not take our user name with this password or key");
    expect(failure).not.toContain("wrong-password");
  });

  test("that is not there, or a key that is none, is an error in words", async () => {
    await expect(exchangeWith({ port: 1 }).list()).rejects.toThrow("ECONNREFUSED");
    await writeFile(join(folder, "no-key"), "nonsense");
    const broken = exchangeWith({ privateKeyFile: join(folder, "no-key") });
    await expect(broken.list()).rejects.toThrow("Cannot parse privateKey");
  });
});
