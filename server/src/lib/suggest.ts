/** The candidate that looks most like `word`, if any is close enough to be what was meant. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (!best || distance < best.distance) best = { candidate, distance };
  }
  const enough = Math.max(2, Math.floor(word.length / 3));
  return best && best.distance <= enough ? best.candidate : undefined;
}

/** ` Did you mean "x"?` or nothing, to end a message with. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const candidate = suggest(word, candidates);
  return candidate ? ` Did you mean "${candidate}"?` : "";
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substituted, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
