import type { Random } from "../lib/random.ts";

/** Digits and capital letters without those that look like others: I, L, O and U. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const randomLength = 10;
const referenceLength = randomLength + 1;

/** How much of a wire's texts is searched, and how much of it for mistakes, of which there are many more. */
const textLengthMost = 1_000;
const nearTextLengthMost = 280;

/** Makes the text a customer writes on a wire: ten random characters and one that checks them. */
export function newReference(random: Random): string {
  const digits = Array.from({ length: randomLength }, () => random.below(alphabet.length));
  return [...digits, checkDigit(digits)].map((digit) => alphabet[digit]).join("");
}

/** A reference as people read it, in groups: `RMP 7K3Q 9XW2 MT5`. */
export function showReference(reference: string): string {
  return `RMP ${reference.slice(0, 4)} ${reference.slice(4, 8)} ${reference.slice(8)}`;
}

/** Everything in a wire's texts that may be a reference as it was given: its check character fits. */
export function readReferences(texts: readonly string[]): string[] {
  return [...new Set(windowsOf(texts, textLengthMost, [referenceLength]).filter(isSound))];
}

/** References from which something in a wire's texts differs by one mistake: a character wrong, missing, too many, or two swapped. */
export function readNearReferences(texts: readonly string[]): string[] {
  const lengths = [referenceLength - 1, referenceLength, referenceLength + 1];
  return [
    ...new Set(windowsOf(texts, nearTextLengthMost, lengths).flatMap(repairsOf).filter(isSound)),
  ];
}

/** Upper-case letters and digits in a row, without what people and banks put between them. */
function squeeze(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
}

/** All pieces of these lengths. A reference may be broken between two lines, so the lines are also read as one. */
function windowsOf(
  texts: readonly string[],
  lengthMost: number,
  lengths: readonly number[],
): string[] {
  const line = squeeze(texts.join("").slice(0, textLengthMost)).slice(0, lengthMost);
  return lengths.flatMap((length) =>
    Array.from({ length: Math.max(0, line.length - length + 1) }, (_, index) =>
      line.slice(index, index + length),
    ),
  );
}

function repairsOf(text: string): string[] {
  const places = [...Array(text.length + 1).keys()];
  const letters = [...alphabet];
  switch (text.length) {
    case referenceLength - 1:
      return places.flatMap((at) => letters.map((one) => text.slice(0, at) + one + text.slice(at)));
    case referenceLength:
      return places.flatMap((at) => [
        ...letters.map((one) => text.slice(0, at) + one + text.slice(at + 1)),
        text.slice(0, at) + (text[at + 1] ?? "") + (text[at] ?? "") + text.slice(at + 2),
      ]);
    default:
      return places.map((at) => text.slice(0, at) + text.slice(at + 1));
  }
}

function isSound(text: string): boolean {
  if (text.length !== referenceLength) return false;
  const digits = [...text].map((one) => alphabet.indexOf(one));
  return !digits.includes(-1) && checkDigit(digits.slice(0, randomLength)) === digits[randomLength];
}

/** The value of the digits as a polynomial over the field of 32 elements: one wrong digit or two swapped ones always show. */
function checkDigit(digits: readonly number[]): number {
  return digits.reduce((sum, digit) => timesTwo(sum ^ digit), 0);
}

/** Doubles in the field of 32 elements, whose polynomial is x^5 + x^2 + 1. */
function timesTwo(value: number): number {
  const doubled = value << 1;
  return doubled & 32 ? doubled ^ 0b100101 : doubled;
}
