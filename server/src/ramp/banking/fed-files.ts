import { OperatorError } from "../../lib/errors.ts";
import { isObject } from "../../lib/is-object.ts";
import type { DirectoryKind, Participant } from "../store/routing-directory.ts";
import { routingNumberFault } from "./routing-number.ts";

/** Reads a field of a record by its name in the JSON files. */
type Field = (name: string) => string;

type Format = {
  /** As the Federal Reserve calls the list. */
  title: string;
  /** Where the records are in a JSON file. */
  list: string;
  /** Columns of the text file, by the names that JSON files have for them. */
  columns: Readonly<Record<string, readonly [from: number, to: number]>>;
  /** A line has at least the columns we read; what fills it up may be cut off. */
  lengthLeast: number;
  lengthMost: number;
  participant(field: Field): Participant;
};

const formats: Record<DirectoryKind, Format> = {
  ach: {
    title: "FedACH",
    list: "fedACHParticipants",
    columns: {
      routingNumber: [1, 9],
      recordTypeCode: [20, 20],
      newRoutingNumber: [27, 35],
      customerName: [36, 71],
      customerAddress: [72, 107],
      customerCity: [108, 127],
      customerState: [128, 129],
      customerZip: [130, 134],
      customerZipExt: [135, 138],
      institutionStatusCode: [149, 149],
    },
    lengthLeast: 149,
    lengthMost: 155,
    participant: (field) => ({
      routingNumber: field("routingNumber"),
      name: field("customerName"),
      street: field("customerAddress"),
      city: field("customerCity"),
      state: field("customerState"),
      postalCode: postalCode(field("customerZip"), field("customerZipExt")),
      replacedBy: field("recordTypeCode") === "2" ? field("newRoutingNumber") : null,
      isEligible: field("institutionStatusCode") === "1",
    }),
  },
  wire: {
    title: "Fedwire",
    list: "fedwireParticipants",
    columns: {
      routingNumber: [1, 9],
      customerName: [28, 63],
      customerState: [64, 65],
      customerCity: [66, 90],
      fundsEligibility: [91, 91],
      fundsSettlementOnlyStatus: [92, 92],
    },
    lengthLeast: 91,
    lengthMost: 101,
    participant: (field) => ({
      routingNumber: field("routingNumber"),
      name: field("customerName"),
      street: "",
      city: field("customerCity"),
      state: field("customerState"),
      postalCode: "",
      replacedBy: null,
      isEligible: field("fundsEligibility") === "Y" && field("fundsSettlementOnlyStatus") !== "S",
    }),
  },
};

/** Reads a file of the Federal Reserve's directory, as text in columns or as JSON. */
export function readDirectoryFile(kind: DirectoryKind, text: string): Participant[] {
  const format = formats[kind];
  const participants = text.trimStart().startsWith("{")
    ? fromJson(format, text)
    : fromText(format, text);
  if (participants.length === 0) throw new OperatorError(`This ${format.title} file is empty.`);
  checkNumbers(format, participants);
  return participants;
}

function fromText(format: Format, text: string): Participant[] {
  const { title, columns, lengthLeast, lengthMost } = format;
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === "") return [];
    if (line.length < lengthLeast || line.length > lengthMost) {
      throw new OperatorError(
        `Line ${index + 1} has ${line.length} characters; lines of a ${title} file have ${lengthMost}.`,
      );
    }
    const field: Field = (name) => {
      const [from, to] = columns[name] ?? [0, 0];
      return line.slice(from - 1, to).trim();
    };
    return [format.participant(field)];
  });
}

/** The list stands in an object of the same name, beside the answer's code. */
function fromJson(format: Format, text: string): Participant[] {
  const { title, list } = format;
  const outer = fieldOf(parsed(title, text), list);
  const records = Array.isArray(outer) ? outer : fieldOf(outer, list);
  if (!Array.isArray(records)) {
    throw new OperatorError(`This is no ${title} file: it has no list "${list}".`);
  }
  return records.map((record: unknown) =>
    format.participant((name) => String(fieldOf(record, name) ?? "").trim()),
  );
}

function parsed(title: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new OperatorError(`This is no ${title} file: it is not valid JSON.`, { cause });
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function checkNumbers({ title }: Format, participants: readonly Participant[]): void {
  const seen = new Set<string>();
  for (const [index, { routingNumber, replacedBy, name }] of participants.entries()) {
    const fault = [routingNumber, replacedBy ?? routingNumber]
      .map(routingNumberFault)
      .find(Boolean);
    const where = `Record ${index + 1} of this ${title} file`;
    if (fault) throw new OperatorError(`${where} has a routing number that ${fault}.`);
    if (!name) throw new OperatorError(`${where} has no name.`);
    if (seen.has(routingNumber))
      throw new OperatorError(`${where}, ${routingNumber}, is there twice.`);
    seen.add(routingNumber);
  }
}

function postalCode(zip: string, extension: string): string {
  return /[1-9]/.test(extension) ? `${zip}-${extension}` : zip;
}
