import { describe, expect, test } from "vitest";
import { parseDatabaseUrl, showAddress } from "./address.ts";

describe("DATABASE_URL", () => {
  test("names a server, and what is not said has its usual value", () => {
    expect(parseDatabaseUrl("postgresql://ada:s%40cret@db.internal/slipway")).toEqual([
      { host: "db.internal", port: 5432, user: "ada", password: "s@cret", database: "slipway" },
    ]);
  });

  test("may name several hosts", () => {
    const hosts = parseDatabaseUrl("postgres://ada@a:1,b:2,[::1]:3/slipway").map(
      ({ host, port }) => [host, port],
    );
    expect(hosts).toEqual([
      ["a", 1],
      ["b", 2],
      ["::1", 3],
    ]);
  });

  test("may name a socket folder and ask for encryption", () => {
    const [address] = parseDatabaseUrl("postgres://ada@/slipway?host=/var/run/pg&sslmode=require");
    expect(address).toMatchObject({ host: "/var/run/pg", ssl: { rejectUnauthorized: false } });
  });

  test.each([
    ["nonsense", "must look like"],
    ["mysql://a@b/c", "must look like"],
    ["postgres://host/db", "names no user"],
    ["postgres://ada@host", "names no database"],
    ["postgres://ada@/slipway", "names no host"],
    ["postgres://ada@host:99999/slipway", "cannot be read"],
    ["postgres://ada@host/slipway?sslmode=maybe", "sslmode"],
    ["postgres://a%zz@host/slipway", "%25"],
  ])("%s is refused: %s", (url, why) => {
    expect(() => parseDatabaseUrl(url)).toThrow(why);
  });

  test("is shown without its password", () => {
    const [address] = parseDatabaseUrl("postgres://ada:secret@host/slipway");
    expect(address && showAddress(address)).toBe("postgres://ada@host:5432/slipway");
  });
});
