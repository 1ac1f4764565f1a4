import type { Paint } from "./terminal.ts";

const token = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s{}[\],:"]+/g;

/** JSON with line ends and indents, for people. Its text is kept, so that no digit of a number is lost. */
export function prettyJson(text: string, paint: Paint): string {
  const tokens = text.match(token) ?? [];
  let pretty = "";
  let depth = 0;
  for (const [index, current] of tokens.entries()) {
    if (current === "}" || current === "]") pretty += lineEnd(--depth);
    pretty += painted(current, tokens[index + 1] === ":", paint);
    if (current === "{" || current === "[") pretty += lineEnd(++depth);
    else if (current === ",") pretty += lineEnd(depth);
  }
  return pretty;
}

function lineEnd(depth: number): string {
  return `\n${"  ".repeat(depth)}`;
}

function painted(value: string, isName: boolean, paint: Paint): string {
  if (value === ":") return ": ";
  if (/^[{}[\],]/.test(value)) return value.replace(/\s/g, "");
  if (isName) return paint(value, "cyan");
  return paint(value, value.startsWith('"') ? "green" : "yellow");
}
