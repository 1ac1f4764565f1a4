/** The end of a command's help: how it is typed, and what else is worth knowing. */
export function helpEnd(lines: readonly string[], ...more: string[]): string {
  const examples = lines.map((line) => `  $ ${line}`).join("\n");
  const rest = more.map((text) => `\n\n${text}`).join("");
  return `\n${lines.length > 1 ? "Examples" : "Example"}:\n${examples}${rest}`;
}
