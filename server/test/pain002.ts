import { newMessage } from "../src/ramp/rails/iso20022/document.ts";
import type { WireStatusReport } from "../src/ramp/rails/iso20022/wire-file.ts";
import { groupElements, statusElement } from "../src/ramp/rails/iso20022/write-statuses.ts";
import { element } from "../src/ramp/rails/iso20022/xml.ts";

/** Writes what became of wires as pain.002.001.10: what is said of all of them, of the file or of its one batch. */
export function writePain002(report: WireStatusReport, saidOf: "file" | "batch" = "file"): Buffer {
  const { messageId, originalMessageId, createdAt, group, statuses } = report;
  return newMessage("pain.002", [
    element("GrpHdr", [element("MsgId", messageId), element("CreDtTm", createdAt)]),
    element("OrgnlGrpInfAndSts", [
      element("OrgnlMsgId", originalMessageId),
      element("OrgnlMsgNmId", "pain.001.001.09"),
      ...(saidOf === "file" ? groupElements("GrpSts", group) : []),
    ]),
    element("OrgnlPmtInfAndSts", [
      element("OrgnlPmtInfId", originalMessageId),
      ...(saidOf === "batch" ? groupElements("PmtInfSts", group) : []),
      ...statuses.map(statusElement),
    ]),
  ]).write();
}
