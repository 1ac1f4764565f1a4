import { codeAt, find, findAll, idAt, need, needId, needText, refuse, textAt } from "./reading.ts";
import type { WireGroupStatus, WireStatus } from "./wire-file.ts";
import type { XmlElement } from "./xml.ts";

/** What each code comes to: the money has gone, it may still, or it will not. */
const outcomes: ReadonlyMap<string, WireStatus["outcome"]> = new Map([
  ["ACSC", "settled"],
  ["ACCC", "settled"],
  ["RCVD", "pending"],
  ["PDNG", "pending"],
  ["ACTC", "pending"],
  ["ACCP", "pending"],
  ["ACSP", "pending"],
  ["ACWC", "pending"],
  ["ACFC", "pending"],
  ["ACWP", "pending"],
  ["RJCT", "rejected"],
  ["CANC", "rejected"],
]);

/** Some of the wires are one thing and some another: each is told by itself. */
const partly = "PART";

/** How Fedwire names a wire: a day, an endpoint and a number. */
const imadForm = /^[0-9]{8}[0-9A-Z]{8}[0-9]{6}$/;

/** What a code comes to; nothing when it is none that we know. */
export function outcomeOf(code: string): WireStatus["outcome"] | undefined {
  return outcomes.get(code);
}

/** What an element says of all of its wires at once, if it does. */
export function groupStatusAt(
  element: XmlElement,
  path: "GrpSts" | "PmtInfSts",
): WireGroupStatus | undefined {
  if ((textAt(element, path) ?? partly) === partly) return undefined;
  return { ...verdictAt(element, path), reason: reasonIn(element) };
}

/** What is said of a wire, by itself or with all others. */
export function statusIn(transaction: XmlElement, group: WireGroupStatus | undefined): WireStatus {
  const isGroups = group && !find(transaction, "TxSts");
  const { outcome, code } = isGroups ? group : verdictAt(transaction, "TxSts");
  return {
    endToEndId: needId(transaction, "OrgnlEndToEndId"),
    ...{ outcome, code },
    reason: reasonIn(transaction) ?? (isGroups ? group.reason : null),
    networkReference: idAt(transaction, "ClrSysRef") ?? imadIn(transaction) ?? null,
  };
}

function verdictAt(element: XmlElement, path: string): Pick<WireStatus, "outcome" | "code"> {
  const code = needText(element, path);
  const outcome = outcomeOf(code) ?? refuse(need(element, path), "must be a code that is known");
  return { outcome, code };
}

/** Codes with what the bank adds to them, one after the other. */
function reasonIn(element: XmlElement): string | null {
  const reasons = findAll(element, "StsRsnInf").map((information) => {
    const additions = findAll(information, "AddtlInf").map(({ text }) => text.trim());
    return [codeAt(information, "Rsn") ?? "", ...additions].filter(Boolean).join(" ");
  });
  return reasons.filter(Boolean).join("; ") || null;
}

/** Banks have no agreed place for Fedwire's own name of a wire, but its form is unmistakable. */
function imadIn({ text, children }: XmlElement): string | undefined {
  const own = text.trim();
  if (imadForm.test(own)) return own;
  return children.map(imadIn).find((found) => found !== undefined);
}
