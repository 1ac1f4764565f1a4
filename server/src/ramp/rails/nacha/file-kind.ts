/** A file header up to where it says how long its records are. */
const headerForm = /^101.{31}094101/;
/** An entry of a return, or an entry with a record 7 about one after it. */
const returnForm = /^6(?:[23]1|.{93}\r?\n79[89])/;

/** Whether bytes are a NACHA file, and which: payments, or what came back of them. A file without entries is a bank's. */
export function achKindOf(bytes: Buffer): "payments" | "returns" | undefined {
  const text = bytes.toString("latin1");
  if (!headerForm.test(text)) return undefined;
  const entry = /^6/m.exec(text);
  return !entry || returnForm.test(text.slice(entry.index)) ? "returns" : "payments";
}
