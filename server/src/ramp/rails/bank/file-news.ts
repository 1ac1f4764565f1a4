import type { Transaction } from "../../../database/database.ts";
import { loadCalendar } from "../../store/calendars.ts";
import { listEntriesOf, settleNotBefore } from "../store/bank-entries.ts";
import { type BankFile, type FileState, markDelivered, markFile } from "../store/bank-files.ts";
import type { BankContext } from "./bank-profile.ts";
import { hearOfEntry } from "./entry-news.ts";
import { achSettlement } from "./file-times.ts";
import { nothingTold, problem, type Told, tellInOrder } from "./reading.ts";

/** A file can be at the bank before we have written down that it is: whoever left it there may have died since. */
const unanswered: ReadonlySet<FileState> = new Set<FileState>(["ready", "delivered"]);

/** The bank has a file of ours. ACH payments of one that reached it late are settled later. */
export async function noteDelivery(
  tx: Transaction,
  { clock }: Pick<BankContext, "clock">,
  { id, format }: Pick<BankFile, "id" | "format">,
): Promise<void> {
  const at = clock.now();
  if (!(await markDelivered(tx, id, new Date(at))) || format !== "nacha") return;
  const settlement = achSettlement(await loadCalendar(tx, "ACH"), at);
  await settleNotBefore(tx, id, new Date(settlement.at));
}

/** The bank took a file of ours. */
export async function acceptFile(
  tx: Transaction,
  { clock }: Pick<BankContext, "clock">,
  file: BankFile,
): Promise<Told> {
  if (file.state === "accepted") return nothingTold;
  if (!unanswered.has(file.state)) return contradiction(file, "accepted");
  await noteDelivery(tx, { clock }, file);
  await markFile(tx, file.id, { state: "accepted", problem: null, at: new Date(clock.now()) });
  return nothingTold;
}

/**
 * The bank did not take a file of ours: nothing in it was or will be paid, but for what it says of single payments.
 * It may find out so after it had accepted the file.
 */
export async function rejectFile(
  tx: Transaction,
  context: Pick<BankContext, "clock">,
  file: BankFile,
  why: string,
  spokenOf: ReadonlySet<string> = new Set(),
): Promise<Told> {
  if (file.state === "rejected") return nothingTold;
  if (!unanswered.has(file.state) && file.state !== "accepted")
    return contradiction(file, "rejected");
  const at = new Date(context.clock.now());
  await markFile(tx, file.id, { state: "rejected", problem: why, at });
  const others = (await listEntriesOf(tx, file.id)).filter(({ trace }) => !spokenOf.has(trace));
  const { notices, problems } = await tellInOrder(others, ({ trace }) =>
    hearOfEntry(tx, context, trace, { outcome: "failed", why }),
  );
  return { notices, problems: [`the bank rejected ${file.name}: ${why}`, ...problems] };
}

function contradiction({ name, state }: BankFile, said: string): Told {
  return problem(`${name} is said to be ${said}, but here it is ${state}: ask the bank`);
}
