/** Reads CSV as RFC 4180 has it: nothing between two commas is null, and an apostrophe before a formula is not part of it. */
export function readCsv(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let found = cell.exec(text); found; found = cell.exec(text)) {
    const [, quoted, plain = "", end] = found;
    row.push(quoted === undefined ? plain || null : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  if (rows.join().length > 0 && !text.endsWith("\r\n")) throw new Error("the last line has no end");
  return rows.map((cells) => cells.map((value) => value && withoutApostrophe(value)));
}

function withoutApostrophe(value: string): string {
  return /^'+[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/.test(value) ? value.slice(1) : value;
}
