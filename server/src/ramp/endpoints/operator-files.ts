import { Type } from "typebox";
import { cursorFields, pageLimit, pageOf } from "../../accounts/endpoints/operator-list.ts";
import { once } from "../../accounts/once.ts";
import type { Transaction } from "../../database/database.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { UnavailableError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import type { BankProfile } from "../rails/bank/bank-profile.ts";
import { approveBankFile, unknownFile, withdrawBankFile } from "../rails/bank/held-files.ts";
import { takeFile } from "../rails/bank/take-files.ts";
import type { RailContext } from "../rails/rail-context.ts";
import { listEntriesOf } from "../rails/store/bank-entries.ts";
import {
  findBankFile,
  listBankFiles,
  openBankFile,
  type SealedBankFile,
} from "../rails/store/bank-files.ts";
import {
  BankFileContentSchema,
  BankFileDetailsSchema,
  BankFileSchema,
  bankFileStates,
  ImportedFileSchema,
  presentBankEntry,
  presentBankFile,
} from "./bank-file-schemas.ts";
import { audit } from "./operator-audit.ts";
import { forOperators, NoteField, wordField } from "./operator-schemas.ts";

type FileContext = RailContext & {
  /** Nothing: there is no bank whose files could be taken in. */
  bank: BankProfile | undefined;
};

const fileParams = Type.Object({ fileId: Type.String({ description: "`fil-` and digits" }) });

/** Files to and from the bank, and what operators do with them. */
export function operatorFileEndpoints(context: FileContext): Endpoint[] {
  const { db, sealer, bank } = context;

  async function fileAfter(tx: Transaction, id: string) {
    return presentBankFile(await fileOf(tx, id));
  }

  return [
    endpoint({
      ...forOperators,
      method: "GET",
      path: "/operator/bankFiles",
      summary: "Files to and from the bank, newest first",
      query: Type.Object({
        ...cursorFields("fil-[0-9]{1,20}"),
        direction: wordField(["out", "in"]),
        state: wordField(bankFileStates),
      }),
      status: 200,
      response: Type.Array(BankFileSchema),
      async handle({ query }) {
        const limit = pageLimit(query);
        const { direction, state, after } = query;
        const files = await listBankFiles(db, { direction, state, limit, after });
        return pageOf(files.map(presentBankFile), limit, ({ id }) => id);
      },
    }),
    endpoint({
      ...forOperators,
      method: "GET",
      path: "/operator/bankFiles/{fileId}",
      summary: "One file, with the payouts that are in it",
      params: fileParams,
      status: 200,
      response: BankFileDetailsSchema,
      async handle({ params: { fileId } }) {
        const file = await fileOf(db, fileId);
        const entries = await listEntriesOf(db, file.id);
        return { ...presentBankFile(file), entries: entries.map(presentBankEntry) };
      },
    }),
    endpoint({
      ...forOperators,
      method: "GET",
      path: "/operator/bankFiles/{fileId}/content",
      summary: "What is in a file, to be sent or looked at by hand",
      description: "It holds account numbers. Who reads it is written to the audit log.",
      params: fileParams,
      status: 200,
      response: BankFileContentSchema,
      handle: ({ params: { fileId }, caller, address }) =>
        db.transact(async (tx) => {
          const file = await fileOf(tx, fileId);
          const deed = { action: "bank_file.read", target: file.id, detail: { name: file.name } };
          await audit(tx, context, { caller, address }, deed);
          const text = openBankFile(sealer, file).toString("utf8");
          return { name: file.name, sha256: file.sha256.toString("hex"), text };
        }),
    }),
    endpoint({
      ...forOperators,
      method: "POST",
      path: "/operator/bankFiles/{fileId}/approve",
      summary: "Approve a file that is held: it leaves when enough operators have",
      description: "Each key counts once.",
      params: fileParams,
      status: 200,
      response: BankFileSchema,
      handle: ({ params: { fileId }, caller, address, idempotency }) =>
        once(context, { caller, idempotency }, async (tx) => {
          await approveBankFile(tx, context, fileId, caller.keyId);
          const file = await fileAfter(tx, fileId);
          const detail = { name: file.name, sha256: file.sha256, amountUsd: file.amountUsd };
          const deed = { action: "bank_file.approve", target: fileId, detail };
          await audit(tx, context, { caller, address }, deed);
          return file;
        }),
    }),
    endpoint({
      ...forOperators,
      method: "POST",
      path: "/operator/bankFiles/{fileId}/withdraw",
      summary: "Take back a file that has not left: its payouts go with another one",
      params: fileParams,
      body: Type.Object({ note: NoteField }),
      status: 200,
      response: BankFileSchema,
      handle: ({ params: { fileId }, body: { note }, caller, address, idempotency }) =>
        once(context, { caller, idempotency }, async (tx) => {
          await withdrawBankFile(tx, context, fileId, note);
          const deed = { action: "bank_file.withdraw", target: fileId, detail: { note } };
          await audit(tx, context, { caller, address }, deed);
          return fileAfter(tx, fileId);
        }),
    }),
    endpoint({
      ...forOperators,
      method: "POST",
      path: "/operator/bankFiles",
      summary: "Take in a file of the bank's by hand",
      description: "The same file again changes nothing. The body may have 20 MB.",
      bodyMegabytesMost: 20,
      body: Type.Object({
        name: Type.String({
          pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$",
          description: "must be the file's name: letters, digits, dots, dashes and underscores",
        }),
        text: Type.String({ minLength: 1, description: "must be what is in the file" }),
      }),
      status: 201,
      response: ImportedFileSchema,
      handle: ({ body: { name, text }, caller, address, idempotency }) =>
        once(context, { caller, idempotency }, async (tx) => {
          if (!bank) throw new UnavailableError("No bank is configured.");
          const bytes = Buffer.from(text);
          const taken = await takeFile(tx, { ...context, bank }, { name, bytes });
          const { state, problem, isNew } = taken;
          const deed = { action: "bank_file.import", target: name, detail: { state, isNew } };
          await audit(tx, context, { caller, address }, deed);
          return { state, problem, isNew };
        }),
    }),
  ];
}

async function fileOf(db: Parameters<typeof findBankFile>[0], id: string): Promise<SealedBankFile> {
  const file = isId("fil", id) ? await findBankFile(db, id) : undefined;
  if (!file) throw unknownFile();
  return file;
}
