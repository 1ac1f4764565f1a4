/** Letters that Unicode does not take apart, and signs that have a plain twin. */
const twins: Readonly<Record<string, string>> = {
  Æ: "AE",
  Œ: "OE",
  Ø: "O",
  Đ: "D",
  Ð: "D",
  Þ: "TH",
  Ł: "L",
  Ħ: "H",
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "–": "-",
  "—": "-",
};

/**
 * Writes text as a bank's file can carry it: upper-case ASCII without accents, cut to a length. Signs that it cannot
 * carry become question marks.
 */
export function achText(text: string, length: number): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toUpperCase()
    .replace(/[^ -~]/gu, (sign) => twins[sign] ?? (/[\s\p{C}]/u.test(sign) ? " " : "?"))
    .replace(/ +/g, " ")
    .trim()
    .slice(0, length)
    .trim();
}
