/** Different numbers from 1 up to `most`, the same ones every time. */
export function drawFrom(most: number, count: number, seed: number): number[] {
  const drawn = new Set<number>();
  for (let state = seed; drawn.size < Math.min(count, most); ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    drawn.add(1 + Math.floor((state / 2 ** 32) * most));
  }
  return [...drawn];
}
