/** Which of the messages that we know a file is; nothing when it is none. */
export function messageKindOf(
  bytes: Buffer,
): "pain.001" | "pacs.002" | "camt.054" | "camt.053" | undefined {
  throw new Error(`not written yet: ${bytes.length}`);
}
