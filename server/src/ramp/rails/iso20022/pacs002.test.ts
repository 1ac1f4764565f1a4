import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { statusReports } from "../../../../test/wire-messages.ts";
import { BadFile } from "../file-exchange.ts";
import { readPacs002, writePacs002 } from "./pacs002.ts";
import type { WireStatusReport } from "./wire-file.ts";

const report: WireStatusReport = {
  messageId: "STS-1",
  originalMessageId: "fil-42",
  createdAt: "2026-11-16T17:05:00.000Z",
  statuses: [
    {
      endToEndId: "pay-1001",
      outcome: "settled",
      code: "ACSC",
      reason: null,
      networkReference: "20261116MMQFMPA1000042",
    },
    {
      endToEndId: "pay-1002",
      outcome: "rejected",
      code: "RJCT",
      reason: "AC04 Closed account number",
      networkReference: null,
    },
  ],
};

const goldenFile = (name: string) =>
  readFileSync(new URL(`golden/${name}`, import.meta.url), "utf8");
const golden = () => goldenFile("pacs.002.001.10.xml");
const read = (text: string) => readPacs002(Buffer.from(text));

test("what became of wires is written as banks do", async () => {
  await expect(writePacs002(report).toString()).toMatchFileSnapshot("golden/pacs.002.001.10.xml");
  expect(read(golden())).toEqual(report);
});

test("what is written is read again", () => {
  fc.assert(
    fc.property(statusReports, (given) => {
      expect(readPacs002(writePacs002(given))).toEqual(given);
    }),
    { numRuns: 50 },
  );
});

test("another bank's report is read, in an envelope and with what it adds", () => {
  expect(read(goldenFile("foreign-pacs.002.001.12.xml"))).toEqual({
    messageId: "R-77",
    originalMessageId: "fil-42",
    createdAt: "2026-11-16T17:00:00.000Z",
    statuses: [
      {
        endToEndId: "pay-1",
        outcome: "settled",
        code: "ACSC",
        reason: null,
        networkReference: "20261116MMQFMPA1000042",
      },
      {
        endToEndId: "pay-2",
        outcome: "rejected",
        code: "RJCT",
        reason: "AC04 Closed account; E047",
        networkReference: null,
      },
      {
        endToEndId: "pay-3",
        outcome: "pending",
        code: "PDNG",
        reason: null,
        networkReference: null,
      },
    ],
  });
});

test.each([
  ["ACSC", "settled"],
  ["ACCC", "settled"],
  ["ACTC", "pending"],
  ["ACCP", "pending"],
  ["ACSP", "pending"],
  ["RCVD", "pending"],
  ["PDNG", "pending"],
  ["ACWC", "pending"],
  ["RJCT", "rejected"],
  ["CANC", "rejected"],
])("%s means %s", (code, outcome) => {
  expect(read(golden().replace("ACSC", code)).statuses[0]).toMatchObject({ code, outcome });
});

test("a file that is refused as a whole is told for all of its wires", () => {
  const refused = golden()
    .replace(/<TxInfAndSts>[\s\S]*<\/TxInfAndSts>\n/, "")
    .replace(
      "</OrgnlGrpInfAndSts>",
      "<GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Cd>DU01</Cd></Rsn></StsRsnInf></OrgnlGrpInfAndSts>",
    );
  expect(read(refused)).toMatchObject({
    originalMessageId: "fil-42",
    group: { outcome: "rejected", code: "RJCT", reason: "DU01" },
    statuses: [],
  });
});

test("a wire without a status of its own has that of all", () => {
  const all = golden()
    .replace("</OrgnlGrpInfAndSts>", "<GrpSts>ACCP</GrpSts></OrgnlGrpInfAndSts>")
    .replace("<TxSts>ACSC</TxSts>\n", "");
  expect(read(all).statuses.map(({ code }) => code)).toEqual(["ACCP", "RJCT"]);
});

test.each<[message: string, from: string | RegExp, to: string]>([
  ["TxInfAndSts[1]/TxSts: must be a code that is known", "<TxSts>ACSC", "<TxSts>GONE"],
  ["TxInfAndSts[1]: must have a text in TxSts", "<TxSts>ACSC</TxSts>\n", ""],
  ["must have a text in OrgnlEndToEndId", "<OrgnlEndToEndId>pay-1001</OrgnlEndToEndId>", ""],
  ["OrgnlEndToEndId: must have at most 35 characters", "pay-1001", "p".repeat(36)],
  ["must have one OrgnlMsgId", /<OrgnlGrpInfAndSts>[\s\S]*<\/OrgnlGrpInfAndSts>\n/, ""],
  ["must have TxInfAndSts or GrpSts", /<TxInfAndSts>[\s\S]*<\/TxInfAndSts>\n/, ""],
  ["GrpHdr/CreDtTm: must be a date and time", "17:05:00.000Z", "noon"],
  ["must be of a namespace of pacs.002", "pacs.002.001.10", "pacs.002.001.14"],
  ["Document: must have one FIToFIPmtStsRpt", /FIToFIPmtStsRpt/g, "CstmrPmtStsRpt"],
])("a report is refused: %s", (message, from, to) => {
  const changed = golden().replace(from, to);
  expect(changed).not.toBe(golden());
  expect(() => read(changed)).toThrow(BadFile);
  expect(() => read(changed)).toThrow(message);
});

test("a report whose code says otherwise than its outcome is not written", () => {
  const wrong = {
    ...report.statuses[0],
    endToEndId: "pay-1",
    code: "RJCT",
    outcome: "settled",
  } as const;
  const status = { reason: null, networkReference: null, ...wrong };
  expect(() => writePacs002({ ...report, statuses: [status] })).toThrow("Broken assumption");
});
