import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writePain002 } from "../../../../test/pain002.ts";
import { statusReports } from "../../../../test/wire-messages.ts";
import { BadFile } from "../file-exchange.ts";
import { readPain002 } from "./pain002.ts";
import type { WireStatusReport } from "./wire-file.ts";

const report: WireStatusReport = {
  messageId: "PSR-1",
  originalMessageId: "fil-42",
  createdAt: "2026-11-16T17:05:00.000Z",
  group: { outcome: "pending", code: "ACCP", reason: null },
  statuses: [
    {
      ...{ endToEndId: "pay-1001", outcome: "settled", code: "ACSC", reason: null },
      networkReference: "20261116MMQFMPA1000042",
    },
    {
      ...{ endToEndId: "pay-1002", outcome: "rejected", code: "RJCT" },
      ...{ reason: "AC04 Closed account number", networkReference: null },
    },
  ],
};

const goldenFile = (name: string) =>
  readFileSync(new URL(`golden/${name}`, import.meta.url), "utf8");
const golden = () => goldenFile("pain.002.001.10.xml");
const read = (text: string) => readPain002(Buffer.from(text));

/** The sample with other words in it, which are there. */
function changed(...changes: [from: string | RegExp, to: string][]): string {
  return changes.reduce((text, [from, to]) => {
    expect(text.search(from)).not.toBe(-1);
    return text.replace(from, to);
  }, golden());
}

const transactions = /<TxInfAndSts>[\s\S]*<\/TxInfAndSts>\n/;
const groupStatus = "<GrpSts>ACCP</GrpSts>\n";
const batchId = "<OrgnlPmtInfId>fil-42</OrgnlPmtInfId>";
const rejected = "<PmtInfSts>RJCT</PmtInfSts><StsRsnInf><Rsn><Cd>DU01</Cd></Rsn></StsRsnInf>";

test("what became of wires is read", async () => {
  await expect(writePain002(report).toString()).toMatchFileSnapshot("golden/pain.002.001.10.xml");
  expect(read(golden())).toEqual(report);
});

test("what is written is read again, whether all wires are spoken of with their file or with its batch", () => {
  fc.assert(
    fc.property(statusReports, fc.constantFrom("file", "batch"), (given, saidOf) => {
      expect(readPain002(writePain002(given, saidOf))).toEqual(given);
    }),
    { numRuns: 50 },
  );
});

test("another bank's report is read, with what it adds and what it leaves out", () => {
  expect(read(goldenFile("foreign-pain.002.001.03.xml"))).toEqual({
    messageId: "PSR-20261116-7",
    originalMessageId: "fil-42",
    createdAt: "2026-11-16T17:05:00.000Z",
    group: { outcome: "pending", code: "ACTC", reason: null },
    statuses: [
      {
        ...{ endToEndId: "pay-1", outcome: "settled", code: "ACSC" },
        reason: "20261116MMQFMPA1000042",
        networkReference: "20261116MMQFMPA1000042",
      },
      {
        ...{ endToEndId: "pay-2", outcome: "rejected", code: "RJCT" },
        ...{ reason: "AC01 no such account; E-113", networkReference: null },
      },
      {
        ...{ endToEndId: "pay-3", outcome: "pending", code: "ACTC" },
        ...{ reason: null, networkReference: null },
      },
    ],
  });
});

test.each(["03", "06", "09", "10", "14"])("version %s is known", (version) => {
  expect(read(changed(["pain.002.001.10", `pain.002.001.${version}`]))).toEqual(report);
});

describe("what is said of all wires", () => {
  const refused = { outcome: "rejected", code: "RJCT", reason: "DU01" };

  test("may be said of the file alone", () => {
    const alone = changed([/<OrgnlPmtInfAndSts>[\s\S]*<\/OrgnlPmtInfAndSts>\n/, ""]);
    expect(read(alone)).toEqual({ ...report, statuses: [] });
  });

  test("goes for a file of which only the batch is refused", () => {
    const batch = changed([transactions, ""], [batchId, batchId + rejected]);
    expect(read(batch)).toMatchObject({ group: refused, statuses: [] });
    const without = changed([transactions, ""], [batchId, batchId + rejected], [groupStatus, ""]);
    expect(read(without)).toMatchObject({ group: refused, statuses: [] });
  });

  test("goes for a wire without a status of its own: the batch's before the file's", () => {
    const own = "<TxSts>ACSC</TxSts>\n";
    expect(read(changed([own, ""])).statuses).toMatchObject([{ code: "ACCP" }, { code: "RJCT" }]);
    expect(read(changed([own, ""], [batchId, batchId + rejected])).statuses).toMatchObject([
      { outcome: "rejected", code: "RJCT", reason: "DU01" },
      { code: "RJCT", reason: "AC04 Closed account number" },
    ]);
  });

  test("goes for the wires of a batch only, where there are several", () => {
    const other = `</OrgnlPmtInfAndSts><OrgnlPmtInfAndSts>${batchId}${rejected}`;
    const several = changed(
      [/<\/TxInfAndSts>\n<TxInfAndSts>/, `</TxInfAndSts>${other}<TxInfAndSts>`],
      [groupStatus, ""],
      ["<TxSts>RJCT</TxSts>\n", ""],
    );
    const { group, statuses } = read(several);
    expect(group).toBeUndefined();
    expect(statuses.map(({ code }) => code)).toEqual(["ACSC", "RJCT"]);
  });
});

test.each<[message: string, ...changes: [from: string | RegExp, to: string][]]>([
  ["TxInfAndSts[1]/TxSts: must be a code that is known", ["<TxSts>ACSC", "<TxSts>GONE"]],
  [
    "TxInfAndSts[1]: must have a text in TxSts",
    ["<TxSts>ACSC</TxSts>\n", ""],
    [groupStatus, "<GrpSts>PART</GrpSts>"],
  ],
  ["must have a text in OrgnlEndToEndId", ["<OrgnlEndToEndId>pay-1001</OrgnlEndToEndId>", ""]],
  ["OrgnlEndToEndId: must have at most 35 characters", ["pay-1001", "p".repeat(36)]],
  [
    "CstmrPmtStsRpt: must have OrgnlGrpInfAndSts",
    [/<OrgnlGrpInfAndSts>[\s\S]*<\/OrgnlGrpInfAndSts>\n/, ""],
  ],
  ["OrgnlGrpInfAndSts: must have a text in OrgnlMsgId", ["<OrgnlMsgId>fil-42</OrgnlMsgId>", ""]],
  ["OrgnlPmtInfAndSts: must have a text in OrgnlPmtInfId", [batchId, ""]],
  ["must have TxInfAndSts, PmtInfSts or GrpSts", [transactions, ""], [groupStatus, ""]],
  ["PmtInfSts: must be a code that is known", [batchId, `${batchId}<PmtInfSts>X</PmtInfSts>`]],
  [
    "PmtInfSts: must not contradict GrpSts",
    [groupStatus, "<GrpSts>ACSC</GrpSts>"],
    [batchId, batchId + rejected],
  ],
  [
    "PmtInfSts: must not contradict GrpSts",
    [groupStatus, "<GrpSts>RJCT</GrpSts>"],
    [batchId, `${batchId}<PmtInfSts>PART</PmtInfSts>`],
  ],
  [
    "OrgnlPmtInfAndSts[2]: must have TxInfAndSts beside other batches",
    [
      "</OrgnlPmtInfAndSts>",
      `</OrgnlPmtInfAndSts><OrgnlPmtInfAndSts>${batchId}${rejected}</OrgnlPmtInfAndSts>`,
    ],
  ],
  ["GrpHdr/CreDtTm: must be a date and time", ["17:05:00.000Z", "noon"]],
  ["must be of a namespace of pain.002", ["pain.002.001.10", "pain.002.001.02"]],
  ["must be of a namespace of pain.002", ["pain.002.001.10", "pain.002.001.15"]],
  ["Document: must have one CstmrPmtStsRpt", [/CstmrPmtStsRpt/g, "FIToFIPmtStsRpt"]],
])("a report is refused: %s", (message, ...changes) => {
  expect(() => read(changed(...changes))).toThrow(BadFile);
  expect(() => read(changed(...changes))).toThrow(message);
});
