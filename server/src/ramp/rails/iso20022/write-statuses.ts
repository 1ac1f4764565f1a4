import { assert } from "../../../lib/errors.ts";
import { outcomeOf } from "./read-statuses.ts";
import { wireText } from "./text.ts";
import type { WireGroupStatus, WireStatus } from "./wire-file.ts";
import { element, type XmlElement } from "./xml.ts";

const reasonForm = /^([A-Z]{2}[0-9]{2})(?: (.+))?$/s;
const additionLengthMost = 105;

/** What is said of a wire, as an element. */
export function statusElement(status: WireStatus): XmlElement {
  const { endToEndId, code, reason, networkReference } = checked(status);
  return element("TxInfAndSts", [
    element("OrgnlEndToEndId", endToEndId),
    element("TxSts", code),
    reasonElement(reason),
    networkReference === null ? undefined : element("ClrSysRef", networkReference),
  ]);
}

/** What is said of all wires at once, as elements of the part that speaks of them. */
export function groupElements(
  name: "GrpSts" | "PmtInfSts",
  group: WireGroupStatus | undefined,
): (XmlElement | undefined)[] {
  return group ? [element(name, checked(group).code), reasonElement(group.reason)] : [];
}

function reasonElement(reason: string | null): XmlElement | undefined {
  if (reason === null) return undefined;
  const [, code, addition = ""] = reasonForm.exec(reason) ?? ["", undefined, reason];
  const text = wireText(addition, additionLengthMost);
  return element("StsRsnInf", [
    code === undefined ? undefined : element("Rsn", [element("Cd", code)]),
    text === "" ? undefined : element("AddtlInf", text),
  ]);
}

function checked<Status extends Pick<WireStatus, "outcome" | "code">>(status: Status): Status {
  assert(outcomeOf(status.code) === status.outcome, "the code says what the outcome says");
  return status;
}
