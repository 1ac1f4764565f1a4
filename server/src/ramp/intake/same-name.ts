/** More words than these in a sender's name make it another name. */
const addedWordsMost = 2;

/**
 * Whether a wire's sender is the person or firm of a verified name. Case, accents, punctuation, word order, initials and
 * middle names may differ; the first and the last word of the verified name have to be there.
 */
export function isSameName(sender: string, verified: string): boolean {
  const verifiedWords = wordsOf(verified);
  const [first, ...rest] = verifiedWords;
  const last = rest.pop();
  if (first === undefined) return false;
  const others = wordsOf(sender);
  for (const needed of last === undefined ? [first] : [first, last]) {
    const place = others.indexOf(needed);
    if (place < 0) return false;
    others.splice(place, 1);
  }
  return rest.length === 0
    ? others.length <= addedWordsMost
    : others.every((word) => rest.some((middle) => isShortFor(word, middle)));
}

function isShortFor(word: string, other: string): boolean {
  return (
    word === other ||
    (word.length === 1 && other.startsWith(word)) ||
    (word.startsWith(other) && other.length === 1)
  );
}

function wordsOf(name: string): string[] {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toUpperCase()
    .replace(/['’.]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
