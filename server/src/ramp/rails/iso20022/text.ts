/** Letters that are not made of a plain one and a mark, and signs, in the nearest that Fedwire carries. */
const substitutes: Readonly<Record<string, string>> = {
  ...{
    ß: "ss",
    æ: "ae",
    Æ: "AE",
    œ: "oe",
    Œ: "OE",
    ø: "o",
    Ø: "O",
    đ: "d",
    Đ: "D",
    ð: "d",
    Ð: "D",
  },
  ...{ ł: "l", Ł: "L", þ: "th", Þ: "Th", ı: "i", ħ: "h", Ħ: "H", ŋ: "n", Ŋ: "N", ŧ: "t", Ŧ: "T" },
  ...{ "‘": "'", "’": "'", "‚": ",", "“": "'", "”": "'", "„": "'", "«": "'", "»": "'", "`": "'" },
  ...{ "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-", "⁄": "/", "·": "." },
  ...{ '"': "'", "<": "(", "[": "(", "{": "(", ">": ")", "]": ")", "}": ")", "\\": "/", "|": "/" },
  ...{ "^": " ", "~": "-", "*": " ", "€": "EUR", "£": "GBP", "×": "x" },
};

/** What names and remittances may be made of: what every bank between us and the receiver passes on as it is. */
export const wireCharacters = "0-9A-Za-z /\\-?:().,'+&#$%!@;=_";

const lawful = new RegExp(`^[${wireCharacters}]$`);

/** A text as a wire carries it, cut to a length: accents are taken off, and what has no likeness becomes `?`. */
export function wireText(text: string, length: number): string {
  const plain = Array.from(text.normalize("NFKD").replace(/[\p{M}\p{Cf}]/gu, ""), wireCharacter);
  return plain.join("").replace(/ +/g, " ").trim().slice(0, length).trimEnd();
}

function wireCharacter(character: string): string {
  if (/[\s\p{Cc}]/u.test(character)) return " ";
  return lawful.test(character) ? character : (substitutes[character] ?? "?");
}
