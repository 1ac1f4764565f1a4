import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/test-service.ts";
import { dataFolderFindings, roomFinding } from "./machine.ts";

const gibibyte = 2 ** 30;
/** How full this machine's disk is, is not for this test to judge. */
const withoutRoom = (found: Awaited<ReturnType<typeof dataFolderFindings>>) =>
  found.filter(({ what }) => !what.includes("GiB"));

test("a data folder that is not there yet can be made; nothing is made of it", async () => {
  const dataFolder = join(temporaryFolder(), "deep", "down");
  for (const _ of [1, 2]) {
    const findings = withoutRoom(await dataFolderFindings({ dataFolder }));
    expect(findings.every(({ state }) => state === "ok")).toBe(true);
  }
});

test("one that is a file cannot be used, and the fix is named", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  for (const dataFolder of [file, join(file, "below")]) {
    expect(await dataFolderFindings({ dataFolder })).toMatchObject([
      { state: "broken", fix: expect.stringContaining("SLIPWAY_DATA") },
    ]);
  }
});

test("a secret that others can read is worth a warning", async () => {
  const dataFolder = temporaryFolder();
  const file = join(dataFolder, "secret");
  writeFileSync(file, "hush");
  chmodSync(file, 0o640);
  const findings = await dataFolderFindings({ dataFolder });
  expect(findings).toContainEqual(
    expect.objectContaining({ state: "warning", fix: `chmod 600 ${file}` }),
  );
  chmodSync(file, 0o600);
  expect(withoutRoom(await dataFolderFindings({ dataFolder }))).not.toContainEqual(
    expect.objectContaining({ state: "warning" }),
  );
});

test.each([
  [5, undefined],
  [4.9, "warning"],
  [0.5, "warning"],
  [0.4, "broken"],
])("%d GiB of room are %s", (free, state) => {
  expect(roomFinding(free * gibibyte, "/data")?.state).toBe(state);
});
