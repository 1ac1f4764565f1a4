/** Writes text as a bank's file can carry it: upper-case ASCII, cut to a length. */
export function achText(text: string, length: number): string {
  throw new Error(`Not written yet: ${text} ${length}`);
}
