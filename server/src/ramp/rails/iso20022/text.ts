/** A text as it may stand in a wire, cut to a length. */
export function wireText(text: string, length: number): string {
  throw new Error(`not written yet: ${text} ${length}`);
}
