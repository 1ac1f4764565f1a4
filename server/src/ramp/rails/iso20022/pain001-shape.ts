import { routingNumberFault } from "../../banking/routing-number.ts";
import { isDay } from "./reading.ts";
import type { Part, Shape, TextRule } from "./shape.ts";
import { wireCharacters } from "./text.ts";

/** The rule that a text has a form, and the form in words. */
const formed = (form: RegExp, why: string): TextRule => {
  return (text) => (form.test(text) ? undefined : why);
};

const only = (...values: readonly string[]): Shape => ({
  text: (text) => (values.includes(text) ? undefined : `must be ${values.join(" or ")}`),
});

/** A text of Fedwire's characters that neither begins nor ends with a space. */
const wireTextOf = (length: number): Shape => {
  const form = new RegExp(`^(?! )[${wireCharacters}]{1,${length}}(?<! )$`);
  return { text: formed(form, `must be 1 to ${length} characters that a wire can carry`) };
};

/** Ids stand in answers and logs: fewer characters than in other texts, and no spaces. */
const id: Shape = {
  text: formed(
    /^[0-9A-Za-z](?:[0-9A-Za-z.:_-]{0,33}[0-9A-Za-z])?$/,
    "must be 1 to 35 letters and digits, with . : _ or - between them",
  ),
};

const count: Shape = { text: formed(/^[1-9][0-9]{0,14}$/, "must be a number of transfers") };

/** Up to 18 digits in the schema; Fedwire carries less than ten thousand million dollars. */
const amount: Shape = {
  text: formed(
    /^(?!0\.00$)(?:0|[1-9][0-9]{0,9})\.[0-9]{2}$/,
    "must be dollars above zero with two decimals",
  ),
  attributes: { Ccy: "USD" },
};

const sum: Shape = {
  text: formed(
    /^(?!0\.00$)(?:0|[1-9][0-9]{0,15})\.[0-9]{2}$/,
    "must be dollars above zero with two decimals",
  ),
};

const time: Shape = {
  text: (text) =>
    /^[0-9-]{10}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z$/.test(text) &&
    isDay(text.slice(0, 10))
      ? undefined
      : "must be a time such as 2026-11-16T17:00:00.000Z",
};

const day: Shape = {
  text: (text) => (isDay(text) ? undefined : "must be a day such as 2026-11-16"),
};

const accountNumber: Shape = {
  text: formed(/^[0-9A-Za-z-]{1,34}$/, "must be 1 to 34 letters, digits or dashes"),
};

const part = (name: string, shape: Shape | readonly Part[]): Part => ({
  name,
  shape: "length" in shape ? { elements: shape } : shape,
});

const party: readonly Part[] = [part("Nm", wireTextOf(140))];

const account: readonly Part[] = [part("Id", [part("Othr", [part("Id", accountNumber)])])];

/** A bank of the United States, by its routing number. */
const agent: readonly Part[] = [
  part("FinInstnId", [
    part("ClrSysMmbId", [
      part("ClrSysId", [part("Cd", only("USABA"))]),
      part("MmbId", { text: routingNumberFault }),
    ]),
    part("PstlAdr", [part("Ctry", only("US"))]),
  ]),
];

const transfer: readonly Part[] = [
  part("PmtId", [part("EndToEndId", id)]),
  part("Amt", [part("InstdAmt", amount)]),
  part("CdtrAgt", agent),
  part("Cdtr", party),
  part("CdtrAcct", account),
  { ...part("RmtInf", [part("Ustrd", wireTextOf(140))]), occurs: "optional" },
];

/** What pain.001.001.09 may hold when it is ours: the schema's order and forms, and what Fedwire asks for beyond it. */
export const painShape: Shape = {
  elements: [
    part("GrpHdr", [
      part("MsgId", id),
      part("CreDtTm", time),
      part("NbOfTxs", count),
      part("CtrlSum", sum),
      part("InitgPty", party),
    ]),
    part("PmtInf", [
      part("PmtInfId", id),
      part("PmtMtd", only("TRF")),
      part("BtchBookg", only("false")),
      part("NbOfTxs", count),
      part("CtrlSum", sum),
      part("PmtTpInf", [part("SvcLvl", [part("Cd", only("URGP"))])]),
      part("ReqdExctnDt", [part("Dt", day)]),
      part("Dbtr", party),
      part("DbtrAcct", account),
      part("DbtrAgt", agent),
      part("ChrgBr", only("DEBT", "SHAR")),
      { ...part("CdtTrfTxInf", transfer), occurs: "many" },
    ]),
  ],
};
