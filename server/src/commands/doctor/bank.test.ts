import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { useSftpServer } from "../../../test/sftp-server.ts";
import { temporaryFolder } from "../../../test/test-service.ts";
import { bankFindings } from "./bank.ts";

const server = useSftpServer(() => "ssh-ed25519 none");

type Bank = Parameters<typeof bankFindings>[0];
type Wire = Parameters<typeof bankFindings>[1];

const bank: Bank = {
  ...{ routingNumber: "091000019", bankName: "OUR BANK", accountNumber: "4400112233" },
  ...{ companyName: "SLIPWAY", companyId: "1234567890", cutOffs: ["17:00"] },
  ...{ approvals: 0, approvalsAboveUsd: 0, webhookSecret: `whsec_${"A".repeat(32)}` },
};
const wire: Wire = {
  ...{ beneficiaryName: "Slipway", beneficiaryAddress: "1 Harbour Street", bankName: "Our Bank" },
  ...{ routingNumber: bank.routingNumber, accountNumber: bank.accountNumber, isUnset: false },
};
const sftp = (changes: Partial<NonNullable<Bank["sftp"]>> = {}) => ({
  ...{ host: "127.0.0.1", port: server.port, username: "bank", password: "secret" },
  ...{ hostKey: server.fingerprint, outbox: "out", inbox: "in", ...changes },
});

describe("a bank", () => {
  test("behind a folder is well when files can be put there", async () => {
    const folder = temporaryFolder();
    expect(await bankFindings({ ...bank, folder }, wire)).toEqual([
      { state: "ok", what: `Files go through ${folder}` },
    ]);
    mkdirSync(join(folder, "inbox"));
    writeFileSync(join(folder, "outbox"), "");
    expect(await bankFindings({ ...bank, folder }, wire)).toMatchObject([
      { state: "broken", what: `${folder}/outbox is no folder.` },
    ]);
    expect(await bankFindings({ ...bank, folder: join(folder, "gone") }, wire)).toMatchObject([
      {
        state: "broken",
        what: `${folder}/gone does not exist.`,
        fix: expect.stringContaining("ramp.rails.bank.folder"),
      },
    ]);
  });

  test("behind SFTP is well when it lets us in, and nothing is left there", async () => {
    server.files.set("in/one", { bytes: Buffer.from("1"), changedAt: 0 });
    expect(await bankFindings({ ...bank, sftp: sftp() }, wire)).toEqual([
      { state: "ok", what: `127.0.0.1:${server.port} lets us in and shows in (1 waiting) and out` },
    ]);
    expect([...server.files.keys()]).toEqual(["in/one"]);
  });

  test.each([
    ["another server's key", { hostKey: `SHA256:${"A".repeat(43)}` }, "its host key is not"],
    ["a wrong password", { password: "hunter2" }, "does not take our user name"],
    ["nobody at its port", { port: 1 }, "127.0.0.1:1"],
  ])("with %s is broken", async (_, changes, what) => {
    const findings = await bankFindings({ ...bank, sftp: sftp(changes) }, wire);
    expect(findings).toMatchObject([
      {
        state: "broken",
        what: expect.stringContaining(what),
        fix: expect.stringContaining("ramp.rails.bank.sftp"),
      },
    ]);
    expect(JSON.stringify(findings)).not.toContain("hunter2");
  });

  test("whose routing number is none makes files that are refused", async () => {
    const numbers = { routingNumber: "091000010" };
    expect(await bankFindings({ ...bank, ...numbers }, { ...wire, ...numbers })).toMatchObject([
      { state: "broken", what: "ramp.rails.bank.routingNumber fails its check digit." },
    ]);
  });

  test("is where customers should wire to", async () => {
    const other = { ...wire, accountNumber: "000123456789" };
    expect(await bankFindings(bank, other)).toMatchObject([
      { state: "warning", fix: expect.stringContaining("ramp.wire") },
    ]);
    expect(await bankFindings(bank, { ...other, isUnset: true })).toMatchObject([
      { state: "broken", what: expect.stringContaining("the sandbox's account") },
    ]);
  });

  test("may tell by files only", async () => {
    const { webhookSecret: _, ...silent } = bank;
    expect(await bankFindings(silent, wire)).toMatchObject([
      { state: "ok", what: expect.stringContaining("SLIPWAY_BANK_WEBHOOK_SECRET") },
    ]);
  });
});
