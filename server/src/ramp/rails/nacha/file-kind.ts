/** Whether bytes are a NACHA file, and which: payments, or what came back of them. */
export function achKindOf(bytes: Buffer): "payments" | "returns" | undefined {
  throw new Error(`Not written yet: ${bytes.length}`);
}
