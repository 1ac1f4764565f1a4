import type {
  BankEntry,
  BankFile,
  BankFileContent,
  BankFileDetails,
  ImportedFile,
} from "@slipway/sdk";
import { Type } from "typebox";
import { shapeOf } from "../../http/endpoint.ts";
import { formatCents } from "../../lib/money.ts";
import { timestamp } from "../../lib/timestamp.ts";
import type { BankEntry as StoredEntry } from "../rails/store/bank-entries.ts";
import type { BankFile as StoredFile } from "../rails/store/bank-files.ts";

const text = Type.String();
const textOrNull = Type.Union([text, Type.Null()]);

const formats: BankFile["format"][] = [
  "nacha",
  "nacha_return",
  "acknowledgement",
  "pain.001",
  "pain.002",
  "pacs.002",
  "camt.054",
  "camt.053",
  "webhook",
  "unknown",
];

/** What can have become of a file. */
export const bankFileStates: BankFile["state"][] = [
  "held",
  "ready",
  "delivered",
  "accepted",
  "rejected",
  "withdrawn",
  "taken",
  "refused",
];

// What follows is the server's side of the shapes of the same names.

export const BankFileSchema = shapeOf<BankFile>()(
  Type.Object({
    id: text,
    direction: Type.Enum(["out", "in"]),
    format: Type.Enum(formats),
    name: text,
    sha256: text,
    state: Type.Enum(bankFileStates),
    entryCount: Type.Integer(),
    amountUsd: text,
    approvals: Type.Array(text),
    approvalsNeeded: Type.Integer(),
    problem: textOrNull,
    createdAt: text,
    deliveredAt: textOrNull,
    updatedAt: text,
  }),
);

export const BankFileDetailsSchema = shapeOf<BankFileDetails>()(
  Type.Object({
    ...BankFileSchema.properties,
    entries: Type.Array(
      Type.Object({
        payoutId: text,
        trace: text,
        amountUsd: text,
        state: Type.Enum(["waiting", "filed", "settled", "failed", "returned"]),
      }),
    ),
  }),
);

export const BankFileContentSchema = shapeOf<BankFileContent>()(
  Type.Object({ name: text, sha256: text, text }),
);

export const ImportedFileSchema = shapeOf<ImportedFile>()(
  Type.Object({
    state: Type.Enum(["taken", "refused"]),
    problem: textOrNull,
    isNew: Type.Boolean(),
  }),
);

/** A file as operators see it. */
export function presentBankFile(file: StoredFile): BankFile {
  const { id, direction, format, name, sha256, state, approvals, approvalsNeeded, problem } = file;
  return {
    ...{ id, direction, format, name, state, approvals, approvalsNeeded, problem },
    sha256: sha256.toString("hex"),
    entryCount: file.entries,
    amountUsd: formatCents(file.cents),
    createdAt: timestamp(file.createdAt),
    deliveredAt: file.deliveredAt && timestamp(file.deliveredAt),
    updatedAt: timestamp(file.updatedAt),
  };
}

/** An entry of a file as operators see it. */
export function presentBankEntry({ payoutId, trace, cents, state }: StoredEntry): BankEntry {
  return { payoutId, trace, amountUsd: formatCents(cents), state };
}
